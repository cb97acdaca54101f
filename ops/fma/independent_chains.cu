// Eight elements per thread: eight chains that do not wait for each other keep the pipes full with few warps.
#include "ops/fma/operation.hpp"

namespace {
constexpr int kThreads = 256;
constexpr int kChains = 8;
constexpr int kElements = kThreads * kChains;  // per block

__device__ float multiply_add(float x, float a, float b) { return fmaf(x, a, b); }
__device__ double multiply_add(double x, double a, double b) { return fma(x, a, b); }
__device__ std::int32_t multiply_add(std::int32_t x, std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(a) +
                                     static_cast<std::uint32_t>(b));
}

template <class T>
__global__ void independent_chains(const T* starts, const T* coefficients, T* out, std::int64_t elements,
                                   std::int64_t steps) {
    const std::int64_t first = std::int64_t{blockIdx.x} * kElements + threadIdx.x;
    const T a = coefficients[0], b = coefficients[1];
    T x[kChains];
#pragma unroll
    for (int chain = 0; chain < kChains; ++chain) {
        const std::int64_t i = first + chain * kThreads;
        x[chain] = i < elements ? starts[i % kStarts] : T{};
    }
#pragma unroll 32  // the loop's own instructions take issue slots from the multiply-adds
    for (std::int64_t step = 0; step < steps; ++step) {
#pragma unroll
        for (int chain = 0; chain < kChains; ++chain) x[chain] = multiply_add(x[chain], a, b);
    }
#pragma unroll
    for (int chain = 0; chain < kChains; ++chain)
        if (const std::int64_t i = first + chain * kThreads; i < elements) out[i] = x[chain];
}

template <class T>
void launch(const FmaArgs<T>& a, cudaStream_t stream) {
    if (a.elements == 0) return;
    const auto blocks = static_cast<unsigned>(ceil_div(a.elements, kElements));
    independent_chains<T><<<blocks, kThreads, 0, stream>>>(a.starts, a.coefficients, a.out, a.elements, a.steps);
}
}  // namespace

LANEWORK_RUNG(fma, independent_chains,
              {
                  .climbs_from = "one_chain",
                  .lesson = "Independent work inside a thread hides latency without needing more threads.",
                  .launch = {launch<float>, launch<double>, launch<std::int32_t>},
              });
