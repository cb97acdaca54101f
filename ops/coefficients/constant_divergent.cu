// Constant memory, misused: each lane begins with a coefficient of its own, so that a warp asks for up to 32 addresses
// at once. The constant cache serves one address at a time.
#include "ops/coefficients/constant_bank.hpp"

namespace {
__constant__ TwiceInARow bank;

__global__ void constant_divergent(const std::int32_t* in, std::int32_t* out, std::int64_t n, std::int64_t degree) {
    const std::int64_t i = own_element();
    if (i >= n) return;
    const unsigned lane = threadIdx.x % kWarp, first = first_of(lane, kWarp, degree);
    out[i] = evaluate(in[i], degree, [=](std::int64_t k) { return bank.value[first + k]; });
}

void launch(const CoefficientsArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    load_constants(bank, a, stream);
    constant_divergent<<<blocks_for(a), kBlock, 0, stream>>>(a.in, a.out, a.n, a.degree);
}
}  // namespace

LANEWORK_RUNG(coefficients, constant_divergent,
              {
                  .climbs_from = "shared_coefficients",
                  .lesson = "Constant memory serves a warp one address at a time: 32 different ones take 32 turns.",
                  .launch = launch,
                  .refuses = refuse_beyond_constant_memory,
              });
