// Tiles of more than one warp: sums, prefix sums, votes and shuffles among 64 and 256 threads.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void together(int* sums, int* before, int* first) {
    __shared__ cg::block_tile_memory<512> memory;
    const cg::thread_block block = cg::this_thread_block(memory);
    const auto wide = cg::tiled_partition<256>(block);
    const auto narrow = cg::tiled_partition<64>(wide);
    const int thread = static_cast<int>(block.thread_rank());
    sums[thread] = cg::reduce(wide, thread % 7, cg::plus<int>());
    before[thread] = cg::exclusive_scan(narrow, 1 + thread % 2);
    first[thread] = narrow.shfl(thread, 0);
    if (wide.any(thread == 300) && wide.thread_rank() == 0)
        printf("thread 300 is in tile %u of %u\n", wide.meta_group_rank(), wide.meta_group_size());
    wide.sync();
}

int main() {
    constexpr int n = 512;
    int *sums, *before, *first;
    cudaMallocManaged(&sums, n * sizeof(int));
    cudaMallocManaged(&before, n * sizeof(int));
    cudaMallocManaged(&first, n * sizeof(int));
    together<<<1, n>>>(sums, before, first);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        int sum = 0, prefix = 0;
        for (int j = i / 256 * 256; j < i / 256 * 256 + 256; ++j) sum += j % 7;
        for (int j = i / 64 * 64; j < i; ++j) prefix += 1 + j % 2;
        wrong += sums[i] != sum || before[i] != prefix || first[i] != i / 64 * 64;
    }
    std::printf("sums %d and %d, %d wrong\n", sums[0], sums[n - 1], wrong);
    return 0;
}
