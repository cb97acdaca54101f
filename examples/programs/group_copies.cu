// A block copies a tile into shared memory together.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void reverse_tiles(const int* in, int* out) {
    __shared__ int tile[128];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in + blockIdx.x * 128, sizeof tile);
    cg::wait(block);
    for (int i = block.thread_rank(); i < 128; i += block.size()) out[blockIdx.x * 128 + i] = tile[127 - i];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 512 * sizeof(int));
    cudaMallocManaged(&out, 512 * sizeof(int));
    for (int i = 0; i < 512; ++i) in[i] = i;
    reverse_tiles<<<4, 32>>>(in, out);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[127], out[511]);
}
