// expect: wrong — the number of blocks is divided down: the elements of a last block that is not full are left out
// says: was left unwritten
#include "ops/index/operation.hpp"

namespace {
constexpr int kThreads = 256;

__global__ void lost_tail(std::uint64_t* out, std::uint64_t n) {
    const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}

void launch(const IndexArgs& a, cudaStream_t stream) {
    const std::int64_t blocks = a.n / kThreads;  // ceil_div(a.n, kThreads) would be right
    if (blocks > 0)
        lost_tail<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(a.out, static_cast<std::uint64_t>(a.n));
}
}  // namespace

LANEWORK_RUNG(index, lost_tail, {.lesson = "Never: n / threads blocks.", .launch = launch});
