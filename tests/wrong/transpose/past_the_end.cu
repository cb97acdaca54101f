// expect: wrong — the bounds are off by one: elements beyond the matrix are written
// says: past the end of the
// finding: out_of_bounds at line 12
#include "ops/transpose/operation.hpp"

namespace {
constexpr int kBlock = 16;

__global__ void past_the_end(const std::int32_t* in, std::int32_t* out, std::int64_t rows, std::int64_t cols) {
    const std::int64_t row = std::int64_t{blockIdx.y} * kBlock + threadIdx.y,
                       col = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (row < rows && col <= cols) out[col * rows + row] = in[row * cols + col];  // col < cols would be right
}

void launch(const TransposeArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(kBlock, kBlock);
    const dim3 grid(static_cast<unsigned>(ceil_div(a.cols, kBlock)), static_cast<unsigned>(ceil_div(a.rows, kBlock)));
    past_the_end<<<grid, block, 0, stream>>>(a.in, a.out, a.rows, a.cols);
}
}  // namespace

LANEWORK_RUNG(transpose, past_the_end, {.lesson = "Never: a last column too many.", .launch = launch});
