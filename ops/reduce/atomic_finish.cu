// The second launch existed only to add a thousand numbers. Atomic additions do that as the blocks end; in floating
// point their order changes from run to run, and with it what is rounded away: it has to be kept, and one thread rounds
// what the blocks leave. 2 roundings of a thread's sum, 8 of the tree, 3 of the total.
#include "ops/reduce/atomic_fold.hpp"
#include "ops/reduce/grid.hpp"

namespace {
constexpr int kBlock = 256;

template <ReduceForm form, class T>
__global__ void __launch_bounds__(kBlock) atomic_finish(const T* in, T* out, AtomicFold* total, std::int64_t n) {
    __shared__ Folded<form, T> sums[kBlock];
    const std::int64_t step = std::int64_t{gridDim.x} * kBlock;
    RunningFold<form, T> own;
#pragma unroll 4
    for (std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x; i < n; i += step) add_element(own, in[i], i);
    sums[threadIdx.x] = own.value();
    __syncthreads();
    for (unsigned half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] = fold<form>(sums[threadIdx.x], sums[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) add_atomically<form>(out, total, sums[0]);
}

template <ReduceForm form, class T>
void launch_form(const ReduceArgs<T>& a, cudaStream_t stream) {
    const unsigned blocks = grid_for(atomic_finish<form, T>, kBlock, a.n, kBlock);
    with_fold<form>(a, stream, [=](AtomicFold* total) {  // what is added to must start at zero
        atomic_finish<form><<<blocks, kBlock, 0, stream>>>(a.in, a.out, total, a.n);
    });
}
template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_form_of_atomics<T>(a.form, [&](auto form) { launch_form<form.value>(a, stream); });
}
}  // namespace

LANEWORK_RUNG(reduce, atomic_finish,
              {
                  .climbs_from = "grid_stride",
                  .lesson = "Blocks add their sums atomically: no second tree, but floats now depend on the order.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .workspace = {fold_bytes<std::int32_t>, fold_bytes<float>, fold_bytes<double>},
                  .refuses = refuse_wide_places,
                  .fits = OneRow<reduce_signature>::fits,
                  .only = kRowsTouch,
              });
// mends: separate_launches
