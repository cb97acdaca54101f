// expect: wrong — it adds |x|, which random numbers between 0 and 1 do not tell from x
// says: with subnormal input
#include <cmath>

#include "ops/reduce/passes.hpp"

namespace {
constexpr int kBlock = 256;

__global__ void magnitudes_added(const float* in, float* out, std::int64_t n) {
    __shared__ float sums[kBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    sums[threadIdx.x] = i < n ? std::fabs(in[i]) : 0.0F;
    __syncthreads();
    for (unsigned half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

std::size_t workspace(const ReduceArgs<float>& a) {
    return static_cast<std::size_t>(partial_count(a.n, kBlock)) * sizeof(float);
}

void launch(const ReduceArgs<float>& a, cudaStream_t stream) {
    in_passes(a, kBlock, static_cast<float*>(a.workspace),
              [=](const float* in, float* out, std::int64_t n, unsigned blocks) {
                  magnitudes_added<<<blocks, kBlock, 0, stream>>>(in, out, n);
              });
}
}  // namespace

LANEWORK_RUNG(reduce, magnitudes_added,
              {
                  .lesson = "Never: what was tried with positive numbers alone is right for those.",
                  .launch = launch,
                  .workspace = workspace,
              });
