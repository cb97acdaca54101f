// The coefficients stay where they came from. All lanes of a warp read the same address, so each read is one sector
// from the first-level cache; but it is a read like any other, with a cache's latency and a place in its queue.
#include "ops/coefficients/elements.hpp"

namespace {
__global__ void global_coefficients(const std::int32_t* in, const std::int32_t* coefficients, std::int32_t* out,
                                    std::int64_t n, std::int64_t degree) {
    const std::int64_t i = own_element();
    if (i < n) out[i] = evaluate(in[i], degree, [=](std::int64_t k) { return coefficients[k]; });
}

void launch(const CoefficientsArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    global_coefficients<<<blocks_for(a), kBlock, 0, stream>>>(a.in, a.coefficients, a.out, a.n, a.degree);
}
}  // namespace

LANEWORK_RUNG(coefficients, global_coefficients,
              {
                  .lesson = "Every use of a coefficient is a load from the cache, even if all lanes want the same one.",
                  .launch = launch,
              });
