// The threads that take one branch form a group: one atomic operation for all of them, ranks for each.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__device__ int add_together(int* counter) {
    const cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(counter, active.size());
    return active.shfl(first, 0) + active.thread_rank();
}

__global__ void keep_multiples(const int* in, int* out, int* counter, int n) {
    const int i = threadIdx.x;
    if (i < n && in[i] % 3 == 0) out[add_together(counter)] = in[i];
}

__global__ void partitions(int* sizes) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const auto halves = cg::binary_partition(tile, threadIdx.x < 10);
    if (halves.thread_rank() == 0) sizes[threadIdx.x < 10] = halves.size();
    const auto thirds = cg::labeled_partition(tile, threadIdx.x % 3);
    if (thirds.thread_rank() == 0) sizes[2 + threadIdx.x % 3] = thirds.size();
}

int main() {
    const int n = 32;
    int *in, *out, *counter, *sizes;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&counter, sizeof(int));
    cudaMallocManaged(&sizes, 5 * sizeof(int));
    *counter = 0;
    for (int i = 0; i < n; ++i) in[i] = i * 5;
    keep_multiples<<<1, n>>>(in, out, counter, n);
    partitions<<<1, 32>>>(sizes);
    cudaDeviceSynchronize();
    printf("%d kept:", *counter);
    for (int i = 0; i < *counter; ++i) printf(" %d", out[i]);
    printf("\nsizes: %d and %d; %d, %d and %d\n", sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]);
}
