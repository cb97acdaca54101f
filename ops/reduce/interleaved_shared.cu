// The same tree in shared memory: memory is read once. Which threads add depends on tid % 2s, so that every warp stays
// busy with ever fewer of its lanes.
#include "ops/reduce/fold.hpp"
#include "ops/reduce/passes.hpp"

namespace {
constexpr int kBlock = 256;

template <ReduceForm form, class T>
__global__ void interleaved_shared(const T* in, T* out, std::int64_t n) {
    __shared__ T sums[kBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    sums[threadIdx.x] = i < n ? entering<form>(in[i]) : of_none<form, T>();
    __syncthreads();
    for (unsigned stride = 1; stride < kBlock; stride *= 2) {
        if (threadIdx.x % (2 * stride) == 0)
            sums[threadIdx.x] = fold<form>(sums[threadIdx.x], sums[threadIdx.x + stride]);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    return static_cast<std::size_t>(partial_count(a.n, kBlock)) * sizeof(T);
}

template <ReduceForm form, class T>
void launch_form(const ReduceArgs<T>& a, cudaStream_t stream) {
    in_passes(a, kBlock, static_cast<T*>(a.workspace), [=](const T* in, T* out, std::int64_t n, unsigned blocks) {
        interleaved_shared<form><<<blocks, kBlock, 0, stream>>>(in, out, n);
    });
}
template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_form(a.form, [&](auto form) { launch_form<form.value>(a, stream); });
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
    });
// mends: redundant_loads
