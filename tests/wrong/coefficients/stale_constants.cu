// expect: wrong — constant memory is filled at the first launch only, and keeps the coefficients of that problem
// says: out[0] is
#include "ops/coefficients/constant_bank.hpp"

namespace {
__constant__ TwiceInARow bank;

__global__ void stale_constants(const std::int32_t* in, std::int32_t* out, std::int64_t n, std::int64_t degree) {
    const std::int64_t i = own_element();
    if (i < n) out[i] = evaluate(in[i], degree, [=](std::int64_t k) { return bank.value[k]; });
}

void launch(const CoefficientsArgs& a, cudaStream_t stream) {
    static bool filled = false;
    if (a.n == 0) return;
    if (!filled) load_constants(bank, a, stream);  // always would be right
    filled = true;
    stale_constants<<<blocks_for(a), kBlock, 0, stream>>>(a.in, a.out, a.n, a.degree);
}
}  // namespace

LANEWORK_RUNG(coefficients, stale_constants,
              {
                  .lesson = "Never: constant memory belongs to the module, and outlives the problem it was filled for.",
                  .launch = launch,
                  .refuses = refuse_beyond_constant_memory,
              });
