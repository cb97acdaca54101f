// One thread per element in order: in every warp the even lanes take one side of the branch, the odd lanes the other.
// A warp has one instruction at a time, so it walks through both sides, each with half of its lanes switched off.
#include "ops/divergence/sides.hpp"

namespace {
constexpr int kBlock = 256;

__global__ void divergent_lanes(const std::int32_t* in, std::int32_t* out, std::int64_t n, std::int64_t rounds) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i >= n) return;
    auto x = static_cast<std::uint32_t>(in[i]);
    if (i % 2 == 0)
        x = even_side(x, rounds);
    else
        x = odd_side(x, rounds);
    out[i] = static_cast<std::int32_t>(x);
}

void launch(const DivergenceArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    divergent_lanes<<<static_cast<unsigned>(ceil_div(a.n, kBlock)), kBlock, 0, stream>>>(a.in, a.out, a.n, a.rounds);
}
}  // namespace

LANEWORK_RUNG(divergence, divergent_lanes,
              {
                  .lesson = "Lanes of one warp that branch apart take turns: the warp pays for both sides.",
                  .launch = launch,
              });
