// Only as many blocks as the device holds at once; each thread adds what lies a grid apart in a register. The tree runs
// once per resident block instead of once per 512 elements, and two launches are enough for any n. A thread's own sum
// is compensated, since it may be of any length: each launch is 2 roundings and the 8 of its tree.
#include "ops/reduce/fold.hpp"
#include "ops/reduce/grid.hpp"

namespace {
constexpr int kBlock = 256;

template <ReduceForm form, class In, class Out>
__global__ void __launch_bounds__(kBlock) grid_stride(const In* in, Out* out, std::int64_t n) {
    using T = Folded<form, In>;
    __shared__ T sums[kBlock];
    const std::int64_t step = std::int64_t{gridDim.x} * kBlock;
    RunningFold<form, In> own;
#pragma unroll 4
    for (std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x; i < n; i += step) add_element(own, in[i], i);
    sums[threadIdx.x] = own.value();
    __syncthreads();
    for (unsigned half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] = fold<form>(sums[threadIdx.x], sums[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) write_folded(out + blockIdx.x, sums[0]);
}

template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    return kMaxResidentBlocks * folded_bytes<T>(a.form);
}

template <ReduceForm form, class T>
void launch_form(const ReduceArgs<T>& a, cudaStream_t stream) {
    using F = Folded<form, T>;
    const unsigned blocks = grid_for(grid_stride<form, T, F>, kBlock, a.n, kBlock);
    F* const partial = static_cast<F*>(a.workspace);
    grid_stride<form><<<blocks, kBlock, 0, stream>>>(a.in, partial, a.n);
    with_result<form>(a, [=](auto* out) {
        grid_stride<form><<<1, kBlock, 0, stream>>>(static_cast<const F*>(partial), out, std::int64_t{blocks});
    });
}
template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_every_form(a.form, [&](auto form) { launch_form<form.value>(a, stream); });
}
}  // namespace

LANEWORK_RUNG(reduce, grid_stride,
              {
                  .climbs_from = "add_on_load",
                  .lesson = "Sum in registers with as many blocks as fit at once: the tree is paid once per block.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
                  .fits = OneRow<reduce_signature>::fits,
                  .only = kRowsTouch,
              });
// mends: idle_threads, few_loads_in_flight
