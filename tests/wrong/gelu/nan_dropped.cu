// expect: wrong — of NaN and a number, fmaxf returns the number
// says: with nan input random with a NaN: out[
#include "ops/gelu/native.cuh"

namespace {
constexpr int kThreads = 256;
constexpr float kBeyond = 1e4F;

__global__ void nan_dropped(const float* in, float* out, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= n) return;
    const float x = fmaxf(in[i], -kBeyond), twice_phi = erfcf(-x * static_cast<float>(kSqrtHalf));
    out[i] = 0.5F * x * twice_phi;
}

void launch(const GeluArgs<float>& a, cudaStream_t stream) {
    if (a.n == 0) return;
    nan_dropped<<<static_cast<unsigned>(ceil_div(a.n, kThreads)), kThreads, 0, stream>>>(a.in, a.out, a.n);
}
}  // namespace

LANEWORK_RUNG(gelu, nan_dropped,
              {
                  .lesson = "Never: a clamp swallows what is no number.",
                  .launch = launch,
              });
