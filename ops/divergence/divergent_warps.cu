// The same branch, taken by whole warps: the first half of a block's threads computes the even elements of its stretch,
// the second half the odd ones. No warp holds lanes of both sides, and each walks through one side only.
//
// Halves, not every other warp: the warps of a block are dealt to the processor's four schedulers in turn, and each
// scheduler should get some of either side.
#include "ops/divergence/sides.hpp"

namespace {
constexpr int kBlock = 256;
constexpr int kPairs = kBlock / 2;  // a multiple of a warp

__global__ void divergent_warps(const std::int32_t* in, std::int32_t* out, std::int64_t n, std::int64_t rounds) {
    const unsigned side = threadIdx.x / kPairs, pair = threadIdx.x % kPairs;
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + 2 * pair + side;
    if (i >= n) return;
    auto x = static_cast<std::uint32_t>(in[i]);
    if (side == 0)
        x = even_side(x, rounds);
    else
        x = odd_side(x, rounds);
    out[i] = static_cast<std::int32_t>(x);
}

void launch(const DivergenceArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    divergent_warps<<<static_cast<unsigned>(ceil_div(a.n, kBlock)), kBlock, 0, stream>>>(a.in, a.out, a.n, a.rounds);
}
}  // namespace

LANEWORK_RUNG(divergence, divergent_warps,
              {
                  .climbs_from = "predicated",
                  .lesson = "Give each side whole warps: a branch that all lanes of a warp take alike costs nothing.",
                  .launch = launch,
              });
// mends: instruction_bound
