// The sum of warp_shuffle, said with cooperative groups: who takes part is an object that the code names, not a mask
// that it states. Its roundings are the same: 2 of a thread's sum, 5 of a warp's tree, 3 of the block's, 3 of the
// total.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "ops/reduce/atomic_fold.hpp"
#include "ops/reduce/grid.hpp"
#include "ops/reduce/warp_fold.hpp"

namespace {
namespace cg = cooperative_groups;

constexpr int kBlock = 256;

/// What wraps around as unsigned where T is an integer that is added: one instruction folds a warp's integers on GPUs
/// from compute capability 8.0.
template <ReduceForm form, class T>
using Operand = std::conditional_t<form == ReduceForm::sum && std::is_integral_v<T>, std::uint32_t, Folded<form, T>>;

/// Of values with their places.
template <ReduceForm form, class S>
struct BetterOne {
    __device__ S operator()(const S& a, const S& b) const { return fold<form>(a, b); }
};

template <ReduceForm form, class S>
__device__ auto group_operation() {
    if constexpr (form == ReduceForm::sum)
        return cg::plus<S>();
    else if constexpr (form == ReduceForm::min)
        return cg::less<S>();
    else if constexpr (form == ReduceForm::max)
        return cg::greater<S>();
    else
        return BetterOne<form, S>();
}

template <ReduceForm form, class T>
__global__ void __launch_bounds__(kBlock) group_tiles(const T* in, T* out, AtomicFold* total, std::int64_t n) {
    using S = Operand<form, T>;
    __shared__ S sums[kBlock / kWarp];
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<kWarp>(block);

    const std::int64_t step = std::int64_t{gridDim.x} * kBlock;
    RunningFold<form, T> own;
#pragma unroll 4
    for (std::int64_t i = std::int64_t{blockIdx.x} * kBlock + block.thread_rank(); i < n; i += step)
        add_element(own, in[i], i);

    const S sum = cg::reduce(warp, static_cast<S>(own.value()), group_operation<form, S>());
    if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = sum;
    block.sync();
    if (warp.meta_group_rank() > 0) return;
    const S of_warp = warp.thread_rank() < warp.meta_group_size() ? sums[warp.thread_rank()]
                                                                  : static_cast<S>(of_none<form, Folded<form, T>>());
    const S of_block = cg::reduce(warp, of_warp, group_operation<form, S>());
    if (warp.thread_rank() == 0) add_atomically<form>(out, total, static_cast<Folded<form, T>>(of_block));
}

template <ReduceForm form, class T>
void launch_form(const ReduceArgs<T>& a, cudaStream_t stream) {
    const unsigned blocks = grid_for(group_tiles<form, T>, kBlock, a.n, kBlock);
    with_fold<form>(a, stream, [=](AtomicFold* total) {
        group_tiles<form><<<blocks, kBlock, 0, stream>>>(a.in, a.out, total, a.n);
    });
}
template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_form_of_atomics<T>(a.form, [&](auto form) { launch_form<form.value>(a, stream); });
}
}  // namespace

LANEWORK_RUNG(reduce, group_tiles,
              {
                  .climbs_from = "warp_shuffle",
                  .lesson = "Cooperative groups name who sums: a tile of 32 threads, no mask, no lane arithmetic.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .workspace = {fold_bytes<std::int32_t>, fold_bytes<float>, fold_bytes<double>},
                  .refuses = refuse_wide_places,
                  .fits = OneRow<reduce_signature>::fits,
                  .only = kRowsTouch,
              });
