// The formula as it is written, an element per thread. Half types are read as such and computed in float.
#include "ops/gelu/native.cuh"

namespace {
constexpr int kThreads = 256;

template <GeluForm form>
__device__ float gelu(float x) {
    float twice_phi;
    if constexpr (form == GeluForm::erf)
        twice_phi = 1.0F + erff(x * static_cast<float>(kSqrtHalf));
    else
        twice_phi = 1.0F + tanhf(static_cast<float>(kSqrtTwoOverPi) * (x + static_cast<float>(kCubic) * x * x * x));
    return twice_phi == 0 ? -0.0F : 0.5F * x * twice_phi;  // −∞·0 is no number
}

template <GeluForm form, class T>
__global__ void __launch_bounds__(kThreads) naive(const T* in, T* out, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i < n) out[i] = static_cast<T>(gelu<form>(static_cast<float>(in[i])));
}

template <class T>
void launch(const GeluArgs<T>& a, cudaStream_t stream) {
    if (a.n == 0) return;
    with_form(a.form, [&]<GeluForm form>() {
        const auto blocks = static_cast<unsigned>(ceil_div(a.n, kThreads));
        naive<form><<<blocks, kThreads, 0, stream>>>(native(a.in), native(a.out), a.n);
    });
}
}  // namespace

LANEWORK_RUNG(gelu, naive,
              {
                  .lesson = "One element per thread: 2-byte accesses keep too few bytes in flight, and erff is long.",
                  .launch = {launch<float>, launch<float16>, launch<bfloat16>},
                  .fits = OneRow<gelu_signature>::fits,
                  .only = kRowsTouch,
              });
