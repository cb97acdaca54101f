// finding: divergent_branch at line 13
// Neighbouring lanes take different sides: each warp walks through both.
#include "ops/divergence/sides.hpp"

namespace {
constexpr int kBlock = 128;

__global__ void lanes_part(const std::int32_t* in, std::int32_t* out, std::int64_t n, std::int64_t rounds) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i >= n) return;
    auto x = static_cast<std::uint32_t>(in[i]);
    // whole warps should agree
    if (i % 2 == 0)
        x = even_side(x, rounds);
    else
        x = odd_side(x, rounds);
    out[i] = static_cast<std::int32_t>(x);
}

void launch(const DivergenceArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    lanes_part<<<static_cast<unsigned>(ceil_div(a.n, kBlock)), kBlock, 0, stream>>>(a.in, a.out, a.n, a.rounds);
}
}  // namespace

LANEWORK_RUNG(divergence, lanes_part, {.lesson = "Never: a warp that parts pays for both sides.", .launch = launch});
