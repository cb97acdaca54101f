// expect: wrong — beyond the range that random inputs are drawn from, it clamps
// says: with large input max/3: out[0] is 8 where the reference has
#include "ops/gelu/native.cuh"

namespace {
constexpr int kThreads = 256;
constexpr float kRange = 8;

__global__ void random_range_only(const float* in, float* out, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= n) return;
    const float x = fminf(fmaxf(in[i], -kRange), kRange);
    out[i] = 0.5F * x * erfcf(-x * static_cast<float>(kSqrtHalf));
}

void launch(const GeluArgs<float>& a, cudaStream_t stream) {
    if (a.n == 0) return;
    random_range_only<<<static_cast<unsigned>(ceil_div(a.n, kThreads)), kThreads, 0, stream>>>(a.in, a.out, a.n);
}
}  // namespace

LANEWORK_RUNG(gelu, random_range_only,
              {
                  .lesson = "Never: what holds for the inputs that were tried is a table of them.",
                  .launch = launch,
              });
