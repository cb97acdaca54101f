// expect: failed — the even lanes' side shuffles, and its mask names the odd lanes, which are elsewhere
// says: named by mask 0xffffffff in __shfl_sync at
#include "ops/divergence/sides.hpp"

namespace {
constexpr int kBlock = 256;

__global__ void shuffle_in_one_side(const std::int32_t* in, std::int32_t* out, std::int64_t n, std::int64_t rounds) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i >= n) return;
    const auto x = static_cast<std::uint32_t>(in[i]);
    if (i % 2 == 0) {
        // From the lane itself, and yet all lanes are asked to come.
        const std::uint32_t own = __shfl_sync(0xFFFFFFFFU, x, static_cast<int>(threadIdx.x % 32));
        out[i] = static_cast<std::int32_t>(even_side(own, rounds));
    } else {
        out[i] = static_cast<std::int32_t>(odd_side(x, rounds));
    }
}

void launch(const DivergenceArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    shuffle_in_one_side<<<static_cast<unsigned>(ceil_div(a.n, kBlock)), kBlock, 0, stream>>>(a.in, a.out, a.n,
                                                                                             a.rounds);
}
}  // namespace

LANEWORK_RUNG(divergence, shuffle_in_one_side,
              {
                  .lesson = "Never: lanes that branched apart are not together until they are brought together.",
                  .launch = launch,
              });
