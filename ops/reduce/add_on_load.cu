// Half of the threads did nothing but load. Here each adds two elements on the way in, and half the blocks do the work.
#include "ops/reduce/fold.hpp"

namespace {
constexpr int kBlock = 256;
constexpr int kPerBlock = 2 * kBlock;

template <ReduceForm form, class In, class Out>
__global__ void add_on_load(const In* in, Out* out, std::int64_t n) {
    using T = Folded<form, In>;
    __shared__ T sums[kBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * kPerBlock + threadIdx.x;
    sums[threadIdx.x] = fold<form>(i < n ? entering<form>(in[i], i) : of_none<form, T>(),
                                   i + kBlock < n ? entering<form>(in[i + kBlock], i + kBlock) : of_none<form, T>());
    __syncthreads();
    for (unsigned half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] = fold<form>(sums[threadIdx.x], sums[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) write_folded(out + blockIdx.x, sums[0]);
}

template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    return static_cast<std::size_t>(partial_count(a.n, kPerBlock)) * folded_bytes<T>(a.form);
}

template <ReduceForm form, class T>
void launch_form(const ReduceArgs<T>& a, cudaStream_t stream) {
    fold_in_passes<form>(a, kPerBlock, static_cast<Folded<form, T>*>(a.workspace),
                         [=](const auto* in, auto* out, std::int64_t n, unsigned blocks) {
                             add_on_load<form><<<blocks, kBlock, 0, stream>>>(in, out, n);
                         });
}
template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_every_form(a.form, [&](auto form) { launch_form<form.value>(a, stream); });
}
}  // namespace

LANEWORK_RUNG(
    reduce, add_on_load,
    {
        .climbs_from = "sequential",
        .lesson = "Two loads and an addition before the tree starts: half the blocks, twice the bytes in flight.",
        .launch = {launch<std::int32_t>, launch<float>, launch<double>},
        .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
        .refuses = refuse_beyond_grid<kPerBlock>,
        .fits = OneRow<reduce_signature>::fits,
        .only = kRowsTouch,
    });
// mends: idle_threads, few_loads_in_flight
