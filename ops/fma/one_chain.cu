// One element per thread: each multiply-add waits for the one before, and only other warps fill the wait.
#include "ops/fma/chain.cuh"

namespace {
constexpr int kThreads = 256;

template <class T>
__global__ void one_chain(const T* starts, const T* coefficients, T* out, std::int64_t elements, std::int64_t steps) {
    const std::int64_t i = (std::int64_t{blockIdx.x} * kThreads + threadIdx.x) * Chain<T>::kElements;
    if (i >= elements) return;
    const auto a = Chain<T>::repeated(coefficients[0]), b = Chain<T>::repeated(coefficients[1]);
    auto x = Chain<T>::start(starts, i, elements);
#pragma unroll 64  // the loop's own instructions take issue slots from the multiply-adds
    for (std::int64_t step = 0; step < steps; ++step) x = multiply_add(x, a, b);
    Chain<T>::store(x, out, i, elements);
}

template <class T>
void launch(const FmaArgs<T>& a, cudaStream_t stream) {
    if (a.elements == 0) return;
    const auto blocks = static_cast<unsigned>(ceil_div(a.elements, kThreads * Chain<T>::kElements));
    one_chain<T><<<blocks, kThreads, 0, stream>>>(a.starts, a.coefficients, a.out, a.elements, a.steps);
}
}  // namespace

LANEWORK_RUNG(fma, one_chain,
              {
                  .lesson = "A dependent chain waits for every result; full occupancy hides it behind other warps.",
                  .launch = {launch<float>, launch<double>, launch<std::int32_t>, launch<float16>},
              });
