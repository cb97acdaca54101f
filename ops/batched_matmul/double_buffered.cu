// The tiles of `matmul/double_buffered`: 128 × 128 elements of one product, 8 × 8 in each thread, fetched four at a
// time and a step ahead.
#include "ops/batched_matmul/tiles.hpp"
#include "ops/matmul/quad_tile.hpp"

namespace {
constexpr int kDepth = 16;

template <bool kByColumns, bool kQuads>
__global__ void __launch_bounds__(kQuadTileThreads, 1) double_buffered(BatchedMatmulArgs<float> all) {
    __shared__ QuadTiles<float, kDepth, kByColumns> tiles[2];
    const MatmulOperands<float> x = all.product(blockIdx.z);
    const std::int64_t row = std::int64_t{blockIdx.y} * kQuadTileSide, col = std::int64_t{blockIdx.x} * kQuadTileSide;
    QuadSums<float> sums;
    add_tiles<kQuads>(sums, x, row, col, tiles);
    sums.write<kQuads>(x, row, col);
}

template <bool kByColumns>
void launch_form(const BatchedMatmulArgs<float>& all, cudaStream_t stream) {
    const bool quads = in_fours(all);
    launch_along_z(all, [&](const BatchedMatmulArgs<float>& x) {
        dim3 grid = grid_of_tiles(x.first.m, x.first.k, kQuadTileSide, kQuadTileSide);
        grid.z = static_cast<unsigned>(x.products);
        if (quads)
            double_buffered<kByColumns, true><<<grid, kQuadTileThreads, 0, stream>>>(x);
        else
            double_buffered<kByColumns, false><<<grid, kQuadTileThreads, 0, stream>>>(x);
    });
}
void launch(const BatchedMatmulArgs<float>& x, cudaStream_t stream) {
    x.first.b_by_columns ? launch_form<true>(x, stream) : launch_form<false>(x, stream);
}
}  // namespace

LANEWORK_RUNG(batched_matmul, double_buffered,
              {
                  .climbs_from = "register_tile",
                  .lesson = "Larger tiles, four elements at a time, the next on their way while these are multiplied.",
                  .launch = {launch},
                  .refuses = refuse_products_beyond_grid<kQuadTileSide, kQuadTileSide>,
              });
// mends: shared_memory_bound
