// The same pairs are added by the first threads, so that whole warps fall idle instead of lanes. Now neighbouring
// threads are 2s words apart: at s = 16 all lanes of a warp want the same bank.
#include "ops/reduce/fold.hpp"

namespace {
constexpr int kBlock = 256;

template <ReduceForm form, class In, class Out>
__global__ void strided_index(const In* in, Out* out, std::int64_t n) {
    using T = Folded<form, In>;
    __shared__ T sums[kBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    sums[threadIdx.x] = i < n ? entering<form>(in[i], i) : of_none<form, T>();
    __syncthreads();
    for (unsigned stride = 1; stride < kBlock; stride *= 2) {
        const unsigned left = 2 * stride * threadIdx.x;
        if (left < kBlock) sums[left] = fold<form>(sums[left], sums[left + stride]);
        __syncthreads();
    }
    if (threadIdx.x == 0) write_folded(out + blockIdx.x, sums[0]);
}

template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    return static_cast<std::size_t>(partial_count(a.n, kBlock)) * folded_bytes<T>(a.form);
}

template <ReduceForm form, class T>
void launch_form(const ReduceArgs<T>& a, cudaStream_t stream) {
    fold_in_passes<form>(a, kBlock, static_cast<Folded<form, T>*>(a.workspace),
                         [=](const auto* in, auto* out, std::int64_t n, unsigned blocks) {
                             strided_index<form><<<blocks, kBlock, 0, stream>>>(in, out, n);
                         });
}
template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_every_form(a.form, [&](auto form) { launch_form<form.value>(a, stream); });
}
}  // namespace

LANEWORK_RUNG(
    reduce, strided_index,
    {
        .climbs_from = "interleaved_shared",
        .lesson =
            "The first threads add, whole warps retire; but their stride through shared memory hits the same banks.",
        .launch = {launch<std::int32_t>, launch<float>, launch<double>},
        .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
        .refuses = refuse_beyond_grid<kBlock>,
        .fits = OneRow<reduce_signature>::fits,
        .only = kRowsTouch,
    });
