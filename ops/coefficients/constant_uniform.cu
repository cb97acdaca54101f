// The same walk, but it begins where the warp says, not the lane: all lanes ask for one address, and what the constant
// cache reads once reaches all of them. Nothing else differs from `constant_divergent`.
#include "ops/coefficients/constant_bank.hpp"

namespace {
__constant__ TwiceInARow bank;

__global__ void constant_uniform(const std::int32_t* in, std::int32_t* out, std::int64_t n, std::int64_t degree) {
    const std::int64_t i = own_element();
    if (i >= n) return;
    const unsigned warp = threadIdx.x / kWarp, first = first_of(warp, kBlock / kWarp, degree);
    out[i] = evaluate(in[i], degree, [=](std::int64_t k) { return bank.value[first + k]; });
}

void launch(const CoefficientsArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    load_constants(bank, a, stream);
    constant_uniform<<<blocks_for(a), kBlock, 0, stream>>>(a.in, a.out, a.n, a.degree);
}
}  // namespace

LANEWORK_RUNG(coefficients, constant_uniform,
              {
                  .climbs_from = "constant_divergent",
                  .lesson = "One address per warp is what constant memory is made for: it is read once and broadcast.",
                  .launch = launch,
                  .refuses = refuse_beyond_constant_memory,
              });
// mends: constant_serialised
