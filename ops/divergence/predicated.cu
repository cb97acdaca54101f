// No branch: every lane computes both sides and keeps one. Nothing takes turns any more, and yet nothing is saved:
// half of what is computed is thrown away. That pays only where the sides are shorter than a branch.
#include "ops/divergence/operation.hpp"

namespace {
constexpr int kBlock = 256;

__global__ void predicated(const std::int32_t* in, std::int32_t* out, std::int64_t n, std::int64_t rounds) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i >= n) return;
    auto even = static_cast<std::uint32_t>(in[i]), odd = even;
#pragma unroll 16
    for (std::int64_t round = 0; round < rounds; ++round) {
        even = even_step(even);
        odd = odd_step(odd);
    }
    out[i] = static_cast<std::int32_t>(i % 2 == 0 ? even : odd);
}

void launch(const DivergenceArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    predicated<<<static_cast<unsigned>(ceil_div(a.n, kBlock)), kBlock, 0, stream>>>(a.in, a.out, a.n, a.rounds);
}
}  // namespace

LANEWORK_RUNG(divergence, predicated,
              {
                  .climbs_from = "divergent_lanes",
                  .lesson = "Computing both sides and selecting has no branch, and costs as much as taking both.",
                  .launch = launch,
              });
