// Eight chains per thread that do not wait for each other keep the pipes full with few warps.
#include "ops/fma/chain.cuh"

namespace {
constexpr int kThreads = 256;
constexpr int kChains = 8;

template <class T>
constexpr int kPerBlock = kThreads* kChains* Chain<T>::kElements;

template <class T>
__global__ void independent_chains(const T* starts, const T* coefficients, T* out, std::int64_t elements,
                                   std::int64_t steps) {
    constexpr int kApart = kThreads * Chain<T>::kElements;  // elements from a thread's chain to its next
    const std::int64_t first = std::int64_t{blockIdx.x} * kPerBlock<T> + threadIdx.x * Chain<T>::kElements;
    const auto a = Chain<T>::repeated(coefficients[0]), b = Chain<T>::repeated(coefficients[1]);
    typename Chain<T>::Held x[kChains];
#pragma unroll
    for (int chain = 0; chain < kChains; ++chain) x[chain] = Chain<T>::start(starts, first + chain * kApart, elements);
#pragma unroll 32  // the loop's own instructions take issue slots from the multiply-adds
    for (std::int64_t step = 0; step < steps; ++step) {
#pragma unroll
        for (int chain = 0; chain < kChains; ++chain) x[chain] = multiply_add(x[chain], a, b);
    }
#pragma unroll
    for (int chain = 0; chain < kChains; ++chain) Chain<T>::store(x[chain], out, first + chain * kApart, elements);
}

template <class T>
void launch(const FmaArgs<T>& a, cudaStream_t stream) {
    if (a.elements == 0) return;
    const auto blocks = static_cast<unsigned>(ceil_div(a.elements, kPerBlock<T>));
    independent_chains<T><<<blocks, kThreads, 0, stream>>>(a.starts, a.coefficients, a.out, a.elements, a.steps);
}
}  // namespace

LANEWORK_RUNG(fma, independent_chains,
              {
                  .climbs_from = "one_chain",
                  .lesson = "Independent work inside a thread hides latency without needing more threads.",
                  .launch = {launch<float>, launch<double>, launch<std::int32_t>, launch<float16>},
              });
// mends: dependent_arithmetic
