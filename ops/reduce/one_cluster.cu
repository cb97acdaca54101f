// Eight blocks that run side by side, a cluster, write into each other's shared memory. So a sum of up to 1 MiB is one
// launch, and still is waiting, not work: each block asks for its share at one go, its first warp leaves 32 sums with
// the cluster's first block, and the barrier of the cluster stands where a second launch would. An element goes through
// up to 8 roundings in its thread, 3 among the values of a pack, 31 of the block's threads, 7 of the blocks and 5 of
// the tree.
// architectures: 90-virtual 90-real
#include <cooperative_groups.h>

#include "ops/reduce/vector_fold.hpp"
#include "ops/reduce/warp_fold.hpp"

namespace {
constexpr int kBlocks = 8;  // the most of a cluster on any GPU that has them
constexpr int kBlock = 1024;
constexpr int kFew = 4, kMany = 8;  // 16-byte loads that a thread has in flight

/// Elements that a cluster reads with so many.
template <class T>
constexpr int most(int in_flight) {
    return kBlocks * kBlock * in_flight * Pack<T>::kValues;
}

#ifdef __NVCC__
template <int kInFlight, ReduceForm form, class In, class Out>
__global__ void __cluster_dims__(kBlocks, 1, 1) __launch_bounds__(kBlock) one_cluster(const In* in, Out* out, int n) {
    using T = Folded<form, In>;
    __shared__ T of_threads[kBlock];
    __shared__ T of_blocks[kBlocks * kWarp];  // the first block's are used
    const auto cluster = cooperative_groups::this_cluster();
    auto begun = cluster.barrier_arrive();
    const auto thread = static_cast<int>(threadIdx.x), block = static_cast<int>(blockIdx.x);
    of_threads[thread] = fold_at_once<form, kInFlight, kBlocks * kBlock>(in, n, block * kBlock + thread);
    __syncthreads();
    if (thread >= kWarp) return;  // nobody waits for threads that have left

    T all = of_threads[thread];
#pragma unroll
    for (int other = kWarp; other < kBlock; other += kWarp) all = fold<form>(all, of_threads[other + thread]);
    cluster.barrier_wait(std::move(begun));  // the first block is there
    *cluster.map_shared_rank(of_blocks + block * kWarp + thread, 0) = all;
    cluster.sync();
    if (block > 0) return;
#pragma unroll
    for (int other = 1; other < kBlocks; ++other) all = fold<form>(all, of_blocks[other * kWarp + thread]);
    all = warp_fold<form>(all);
    if (thread == 0) write_folded(out, all);
}

template <ReduceForm form, class T>
void launch_form(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_result<form>(a, [&](auto* out) {
        const auto n = static_cast<int>(a.n);
        if (n <= most<T>(kFew))
            one_cluster<kFew, form><<<kBlocks, kBlock, 0, stream>>>(a.in, out, n);
        else
            one_cluster<kMany, form><<<kBlocks, kBlock, 0, stream>>>(a.in, out, n);
    });
}
template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_every_form(a.form, [&](auto form) { launch_form<form.value>(a, stream); });
}
#else
template <class T>
void launch(const ReduceArgs<T>&, cudaStream_t) {}  // refused
#endif

std::string_view refuses(const Problem& p) {
#ifdef __NVCC__
    constexpr int kHopper = 9;
    int device = 0, major = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess || major < kHopper)
        return "clusters of blocks exist from compute capability 9.0 on";
    const std::int64_t n = p.lengths<ReduceAxes>().n;
    return n <= (p.dtype == DType::float64 ? most<double>(kMany) : most<float>(kMany))
               ? std::string_view()
               : "a cluster reads up to 1 MiB; more is read faster by many blocks";
#else
    (void)p;
    return "clusters of blocks exist on GPUs of compute capability 9.0 and later; simt has none";
#endif
}
}  // namespace

LANEWORK_RUNG(
    reduce, one_cluster,
    {
        .climbs_from = "one_block",
        .lesson = "Blocks of a cluster write into each other's shared memory: eight times the loads, still one launch.",
        .launch = {launch<std::int32_t>, launch<float>, launch<double>},
        .refuses = refuses,
        .fits = OneRow<reduce_signature>::fits,
        .only = kRowsTouch,
    });
