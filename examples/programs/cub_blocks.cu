// CUB within blocks and warps: reductions, prefix sums, a radix sort, loads of several items a thread.
#include <cstdio>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>

constexpr int kThreads = 64, kItems = 4;

__global__ void sort_and_sum(const int* in, int* sorted, int* prefix, int* totals) {
    using Load = cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_TRANSPOSE>;
    using Sort = cub::BlockRadixSort<int, kThreads, kItems>;
    using Scan = cub::BlockScan<int, kThreads>;
    using Reduce = cub::BlockReduce<int, kThreads>;
    using Warp = cub::WarpReduce<int>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Sort::TempStorage sort;
        typename Scan::TempStorage scan;
        typename Reduce::TempStorage reduce;
        typename Warp::TempStorage warp[kThreads / 32];
    } shared;
    int items[kItems], before[kItems];
    Load(shared.load).Load(in, items);
    __syncthreads();
    Sort(shared.sort).Sort(items);
    __syncthreads();
    Scan(shared.scan).ExclusiveSum(items, before);
    __syncthreads();
    const int all = Reduce(shared.reduce).Sum(items);
    __syncthreads();
    const int largest =
        Warp(shared.warp[threadIdx.x / 32]).Reduce(items[kItems - 1], [](int a, int b) { return a > b ? a : b; });
    for (int i = 0; i < kItems; ++i) {
        sorted[threadIdx.x * kItems + i] = items[i];
        prefix[threadIdx.x * kItems + i] = before[i];
    }
    if (threadIdx.x == 0) totals[0] = all;
    if (threadIdx.x % 32 == 0) totals[1 + threadIdx.x / 32] = largest;
}

int main() {
    const int n = kThreads * kItems;
    int *in, *sorted, *prefix, *totals;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&sorted, n * sizeof(int));
    cudaMallocManaged(&prefix, n * sizeof(int));
    cudaMallocManaged(&totals, 3 * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = i * 131 % 257 - 100;
    sort_and_sum<<<1, kThreads>>>(in, sorted, prefix, totals);
    cudaDeviceSynchronize();
    int wrong = 0, sum = 0;
    for (int i = 0; i < n; ++i) {
        wrong += i > 0 && sorted[i] < sorted[i - 1];
        wrong += prefix[i] != sum;
        sum += sorted[i];
    }
    printf("%d wrong; sum %d, largest of the warps %d %d\n", wrong, totals[0], totals[1], totals[2]);
    return totals[0] != sum;
}
