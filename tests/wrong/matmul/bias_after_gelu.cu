// expect: wrong — the bias is added to what GELU gives; it belongs to its argument
// says: c[0] is
#include "ops/matmul/tiles.hpp"

namespace {
constexpr int kBlock = 16;

__global__ void bias_after_gelu(MatmulArgs<float> x) {
    const std::int64_t row = std::int64_t{blockIdx.y} * kBlock + threadIdx.y,
                       col = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (row >= x.m || col >= x.k) return;
    const float sum = sum_of_views(x, row, col);
    // activated(…, sum + bias) would be right
    x.c[row * x.c_pitch + col] = activated(x.finish.activation, sum) + x.finish.bias[col];
}

bool ends_with_gelu(const MatmulArgs<float>& x) { return x.finish.activation != MatmulActivation::none; }

void launch(const MatmulArgs<float>& x, cudaStream_t stream) {
    if (x.empty()) return;
    const dim3 grid = grid_of_tiles(x.m, x.k, kBlock, kBlock), block(kBlock, kBlock);
    bias_after_gelu<<<grid, block, 0, stream>>>(x);
}
}  // namespace

LANEWORK_RUNG(matmul, bias_after_gelu,
              {.lesson = "Never: right where there is no bias, and wrong everywhere else.",
               .launch = {launch},
               .fits = {ends_with_gelu},
               .only = "products that end with GELU"});
