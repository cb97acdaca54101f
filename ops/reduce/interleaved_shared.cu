// The same tree in shared memory: memory is read once. Which threads add depends on tid % 2s, so that every warp stays
// busy with ever fewer of its lanes.
#include "ops/reduce/fold.hpp"

namespace {
constexpr int kBlock = 256;

template <ReduceForm form, class In, class Out>
__global__ void interleaved_shared(const In* in, Out* out, std::int64_t n) {
    using T = Folded<form, In>;
    __shared__ T sums[kBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    sums[threadIdx.x] = i < n ? entering<form>(in[i], i) : of_none<form, T>();
    __syncthreads();
    for (unsigned stride = 1; stride < kBlock; stride *= 2) {
        if (threadIdx.x % (2 * stride) == 0)
            sums[threadIdx.x] = fold<form>(sums[threadIdx.x], sums[threadIdx.x + stride]);
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
                             interleaved_shared<form><<<blocks, kBlock, 0, stream>>>(in, out, n);
                         });
}
template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_every_form(a.form, [&](auto form) { launch_form<form.value>(a, stream); });
}
}  // namespace

LANEWORK_RUNG(
    reduce, interleaved_shared,
    {
        .climbs_from = "interleaved_global",
        .lesson = "In shared memory the tree costs no memory traffic, but tid % 2s keeps one lane of each warp busy.",
        .launch = {launch<std::int32_t>, launch<float>, launch<double>},
        .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
        .refuses = refuse_beyond_grid<kBlock>,
        .fits = OneRow<reduce_signature>::fits,
        .only = kRowsTouch,
    });
// mends: redundant_loads
