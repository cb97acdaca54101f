// Functions that take any group by reference, as thread_group: a sum over a block, and over tiles of it whose size is
// chosen when the program runs.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__device__ int sum(cg::thread_group& group, int* shared, int value) {
    const int rank = group.thread_rank();
    for (int half = group.size() / 2; half > 0; half /= 2) {
        shared[rank] = value;
        group.sync();
        if (rank < half) value += shared[rank + half];
        group.sync();
    }
    return value;
}

__global__ void sums(int* of_block, int* of_tiles, int* of_warps, int size) {
    extern __shared__ int shared[];
    cg::thread_block block = cg::this_thread_block();
    const int whole = sum(block, shared, threadIdx.x);
    if (block.thread_rank() == 0) of_block[blockIdx.x] = whole;
    block.sync();

    cg::thread_group tile = cg::tiled_partition(block, size);
    const int part = sum(tile, shared + threadIdx.x / size * size, threadIdx.x);
    if (tile.thread_rank() == 0) of_tiles[threadIdx.x / size] = part;
    block.sync();

    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    const int row = sum(warp, shared + threadIdx.x / 32 * 32, threadIdx.x);
    if (warp.thread_rank() == 0) of_warps[threadIdx.x / 32] = row;
}

int main(int argc, char** argv) {
    const int threads = 64, size = argc > 1 ? atoi(argv[1]) : 16;
    int* results;
    cudaMallocManaged(&results, 3 * threads * sizeof(int));
    int *of_block = results, *of_tiles = results + threads, *of_warps = of_tiles + threads;
    sums<<<1, threads, threads * sizeof(int)>>>(of_block, of_tiles, of_warps, size);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s\nblock: %d\ntiles of %d:", cudaGetErrorString(error), of_block[0], size);
    for (int i = 0; i < threads / size; ++i) printf(" %d", of_tiles[i]);
    printf("\nwarps: %d %d\n", of_warps[0], of_warps[1]);
    cudaFree(results);
}
