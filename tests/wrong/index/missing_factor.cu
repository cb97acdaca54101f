// expect: wrong — a row of the grid has gridDim.x blocks, and the index leaves them out: rows of blocks overlap
// says: out[
#include "ops/index/operation.hpp"

namespace {
constexpr int kThreads = 256, kAcross = 2;

__global__ void missing_factor(std::uint64_t* out, std::uint64_t n) {
    const std::uint64_t block = std::uint64_t{blockIdx.y} + blockIdx.x;  // blockIdx.y * gridDim.x + blockIdx.x
    const std::uint64_t i = block * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}

void launch(const IndexArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 grid(kAcross, static_cast<unsigned>(ceil_div(a.n, kThreads * kAcross)));
    missing_factor<<<grid, kThreads, 0, stream>>>(a.out, static_cast<std::uint64_t>(a.n));
}
}  // namespace

LANEWORK_RUNG(index, missing_factor, {.lesson = "Never: blockIdx.y by itself.", .launch = launch});
