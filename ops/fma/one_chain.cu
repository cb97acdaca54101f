// One element per thread: each multiply-add waits for the one before, and only other warps fill the wait.
#include "ops/fma/operation.hpp"

namespace {
constexpr int kThreads = 256;

__device__ float multiply_add(float x, float a, float b) { return fmaf(x, a, b); }
__device__ double multiply_add(double x, double a, double b) { return fma(x, a, b); }
__device__ std::int32_t multiply_add(std::int32_t x, std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(a) +
                                     static_cast<std::uint32_t>(b));
}

template <class T>
__global__ void one_chain(const T* starts, const T* coefficients, T* out, std::int64_t elements, std::int64_t steps) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= elements) return;
    const T a = coefficients[0], b = coefficients[1];
    T x = starts[i % kStarts];
#pragma unroll 64  // the loop's own instructions take issue slots from the multiply-adds
    for (std::int64_t step = 0; step < steps; ++step) x = multiply_add(x, a, b);
    out[i] = x;
}

template <class T>
void launch(const FmaArgs<T>& a, cudaStream_t stream) {
    if (a.elements == 0) return;
    const auto blocks = static_cast<unsigned>(ceil_div(a.elements, kThreads));
    one_chain<T><<<blocks, kThreads, 0, stream>>>(a.starts, a.coefficients, a.out, a.elements, a.steps);
}
}  // namespace

LANEWORK_RUNG(fma, one_chain,
              {
                  .lesson = "A dependent chain waits for every result; full occupancy hides it behind other warps.",
                  .launch = {launch<float>, launch<double>, launch<std::int32_t>},
              });
