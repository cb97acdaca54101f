// The tiles of `matmul/double_buffered`: 128 × 128 elements of one product, 8 × 8 in each thread, fetched four at a
// time and a step ahead.
#include "ops/batched_matmul/tiles.hpp"
#include "ops/matmul/quad_tile.hpp"
#include "src/cuda/resident_blocks.hpp"

namespace {
/// Two blocks of a multiprocessor hide each other's beginning and end, which are much of short sums. Where there are no
/// more tiles than multiprocessors, a block has one to itself, with all its registers.
template <int kBlocks, bool kByColumns, bool kQuads>
__global__ void __launch_bounds__(kQuadTileThreads, kBlocks) double_buffered(BatchedMatmulArgs<float> all) {
    constexpr int kDepth = kByColumns ? 16 : 8;  // by rows fewer terms at once were 5% faster
    __shared__ QuadTiles<float, kDepth, kByColumns> tiles[2];
    const MatmulOperands<float> x = all.product(blockIdx.z);
    const std::int64_t row = std::int64_t{blockIdx.y} * kQuadTileSide, col = std::int64_t{blockIdx.x} * kQuadTileSide;
    QuadSums<float> sums;
    add_tiles<kQuads>(sums, x, row, col, tiles);
    sums.write<kQuads>(x, row, col);
}

template <int kBlocks>
auto kernel_for(bool by_columns, bool quads) {
    if (by_columns) return quads ? double_buffered<kBlocks, true, true> : double_buffered<kBlocks, true, false>;
    return quads ? double_buffered<kBlocks, false, true> : double_buffered<kBlocks, false, false>;
}
void launch(const BatchedMatmulArgs<float>& all, cudaStream_t stream) {
    const bool by_columns = all.first.b_by_columns, quads = in_fours(all);
    launch_along_z(all, [&](const BatchedMatmulArgs<float>& x) {
        dim3 grid = grid_of_tiles(x.first.m, x.first.k, kQuadTileSide, kQuadTileSide);
        grid.z = static_cast<unsigned>(x.products);
        const bool few = std::int64_t{grid.x} * grid.y * grid.z <= multiprocessors();
        const auto kernel = few ? kernel_for<1>(by_columns, quads) : kernel_for<2>(by_columns, quads);
        kernel<<<grid, kQuadTileThreads, 0, stream>>>(x);
    });
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
