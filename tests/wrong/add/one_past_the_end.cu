// expect: wrong — the bound is off by one: z[n] is written
// says: past the end of the
// finding: out_of_bounds at line 11
#include "ops/add/operation.hpp"

namespace {
constexpr int kBlock = 256;

__global__ void one_past_the_end(const float* x, const float* y, float* z, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i <= n) z[i] = x[i] + y[i];  // i < n would be right
}

void launch(const AddArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const unsigned blocks = static_cast<unsigned>(ceil_div(a.n, kBlock));
    one_past_the_end<<<blocks, kBlock, 0, stream>>>(a.x, a.y, a.z, a.n);
}
}  // namespace

LANEWORK_RUNG(add, one_past_the_end, {.lesson = "Never: one element too many.", .launch = launch});
