// expect: wrong — the bound is off by one: what lies behind the input is added to it
// says: out[0] is
// finding: out_of_bounds at line 13
#include "ops/reduce/passes.hpp"

namespace {
constexpr int kBlock = 256;

template <class T>
__global__ void reads_past_the_end(const T* in, T* out, std::int64_t n) {
    __shared__ T sums[kBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    sums[threadIdx.x] = i <= n ? in[i] : T{};  // i < n would be right
    __syncthreads();
    for (unsigned half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] = plus(sums[threadIdx.x], sums[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    return static_cast<std::size_t>(partial_count(a.n, kBlock)) * sizeof(T);
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    in_passes(a, kBlock, static_cast<T*>(a.workspace), [=](const T* in, T* out, std::int64_t n, unsigned blocks) {
        reads_past_the_end<<<blocks, kBlock, 0, stream>>>(in, out, n);
    });
}
}  // namespace

LANEWORK_RUNG(reduce, reads_past_the_end,
              {
                  .lesson = "Never: the element behind the last is somebody else's.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
              });
