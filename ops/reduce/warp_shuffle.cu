// Inside a warp, registers can be read across lanes: the tree needs one barrier instead of eight, and 8 words of shared
// memory instead of 256. Its roundings are those of atomic_finish: 2 of a thread's sum, 8 of the tree, 3 of the total.
#include "ops/reduce/atomic_fold.hpp"
#include "ops/reduce/grid.hpp"
#include "ops/reduce/warp_fold.hpp"

namespace {
constexpr int kBlock = 256;

template <ReduceForm form, class T>
__global__ void __launch_bounds__(kBlock) warp_shuffle(const T* in, T* out, AtomicFold* total, std::int64_t n) {
    using F = Folded<form, T>;
    __shared__ F sums[kBlock / kWarp];
    const std::int64_t step = std::int64_t{gridDim.x} * kBlock;
    RunningFold<form, T> own;
#pragma unroll 4
    for (std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x; i < n; i += step) add_element(own, in[i], i);
    const F sum = block_fold<form>(own.value(), sums);
    if (threadIdx.x == 0) add_atomically<form>(out, total, sum);
}

template <ReduceForm form, class T>
void launch_form(const ReduceArgs<T>& a, cudaStream_t stream) {
    const unsigned blocks = grid_for(warp_shuffle<form, T>, kBlock, a.n, kBlock);
    with_fold<form>(a, stream, [=](AtomicFold* total) {
        warp_shuffle<form><<<blocks, kBlock, 0, stream>>>(a.in, a.out, total, a.n);
    });
}
template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_form_of_atomics<T>(a.form, [&](auto form) { launch_form<form.value>(a, stream); });
}
}  // namespace

LANEWORK_RUNG(reduce, warp_shuffle,
              {
                  .climbs_from = "atomic_finish",
                  .lesson = "Shuffles sum a warp in registers; shared memory carries one value per warp.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .workspace = {fold_bytes<std::int32_t>, fold_bytes<float>, fold_bytes<double>},
                  .refuses = refuse_wide_places,
                  .fits = OneRow<reduce_signature>::fits,
                  .only = kRowsTouch,
              });
