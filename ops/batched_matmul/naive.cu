// All products in one launch, along z of the grid; still one thread for each element.
#include "ops/batched_matmul/tiles.hpp"

namespace {
constexpr int kBlock = 16;

template <class T>
__global__ void naive(BatchedMatmulArgs<T> x) {
    const MatmulOperands<T> one = x.product(blockIdx.z);
    const std::int64_t row = std::int64_t{blockIdx.y} * kBlock + threadIdx.y;
    const std::int64_t col = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (row < one.m && col < one.k) one.c[row * one.c_pitch + col] = narrowed<T>(sum_of_views(one, row, col));
}

template <class T>
void launch(const BatchedMatmulArgs<T>& all, cudaStream_t stream) {
    launch_along_z(all, [stream](const BatchedMatmulArgs<T>& x) {
        dim3 grid = grid_of_tiles(x.first.m, x.first.k, kBlock, kBlock);
        grid.z = static_cast<unsigned>(x.products);
        naive<<<grid, dim3(kBlock, kBlock), 0, stream>>>(x);
    });
}
}  // namespace

LANEWORK_RUNG(batched_matmul, naive,
              {
                  .climbs_from = "one_launch_each",
                  .lesson = "One launch for all products, along z of the grid: together they fill the GPU.",
                  .launch = {launch<float>, launch<float16>, launch<bfloat16>},
                  .refuses = refuse_products_beyond_grid<kBlock, kBlock>,
              });
// mends: few_blocks
