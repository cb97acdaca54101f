// Neighbours are added pairwise, then pairs of pairs, all in global memory. It works on a copy: a sum must not destroy
// what it sums.
#include "ops/reduce/fold.hpp"

namespace {
constexpr int kBlock = 256;

template <ReduceForm form, class In, class Out>
__global__ void interleaved_global(const In* in, Folded<form, In>* work, Out* out, std::int64_t n) {
    using T = Folded<form, In>;
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) work[i] = entering<form>(in[i], i);
    __syncthreads();
    for (unsigned stride = 1; stride < kBlock; stride *= 2) {
        if (threadIdx.x % (2 * stride) == 0 && i + stride < n) work[i] = fold<form>(work[i], work[i + stride]);
        __syncthreads();
    }
    if (threadIdx.x == 0) write_folded(out + blockIdx.x, n > 0 ? work[i] : of_none<form, T>());
}

template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    return static_cast<std::size_t>(a.n + partial_count(a.n, kBlock)) * folded_bytes<T>(a.form);
}

template <ReduceForm form, class T>
void launch_form(const ReduceArgs<T>& a, cudaStream_t stream) {
    auto* const work = static_cast<Folded<form, T>*>(a.workspace);
    fold_in_passes<form>(a, kBlock, work + a.n, [=](const auto* in, auto* out, std::int64_t n, unsigned blocks) {
        interleaved_global<form><<<blocks, kBlock, 0, stream>>>(in, work, out, n);
    });
}
template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_every_form(a.form, [&](auto form) { launch_form<form.value>(a, stream); });
}
}  // namespace

LANEWORK_RUNG(reduce, interleaved_global,
              {
                  .lesson = "Adding neighbours in global memory: every level of the tree is a round trip to memory.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
                  .refuses = refuse_beyond_grid<kBlock>,
                  .fits = OneRow<reduce_signature>::fits,
                  .only = kRowsTouch,
              });
