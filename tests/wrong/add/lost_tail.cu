// expect: wrong — the division for the number of blocks rounds down, and the last elements are never written
// says: was left unwritten
#include "ops/add/operation.hpp"

namespace {
constexpr int kBlock = 256;

__global__ void lost_tail(const float* x, const float* y, float* z, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}

void launch(const AddArgs& a, cudaStream_t stream) {
    const unsigned blocks = static_cast<unsigned>(a.n / kBlock);  // ceil_div(a.n, kBlock) would be right
    if (blocks > 0) lost_tail<<<blocks, kBlock, 0, stream>>>(a.x, a.y, a.z, a.n);
}
}  // namespace

LANEWORK_RUNG(add, lost_tail, {.lesson = "Never: the grid ends before the data.", .launch = launch});
