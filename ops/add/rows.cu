// Rows with gaps between them: a warp keeps to one row, so that its lanes still lie side by side.
#include "ops/add/operation.hpp"
#include "src/cuda/row_tiles.hpp"

namespace {
constexpr struct {
    int block = 256;
    int each = 4;  // elements of a thread, all of which are read before one is written
} kTuning;

__global__ void __launch_bounds__(kTuning.block) rows(const AddArgs a, const RowTiles tiles) {
    for_each_tile<kTuning.each>(tiles, [&](std::int64_t row, std::int64_t first) {
        const float *const x = a.x + row * a.x_pitch + first, *const y = a.y + row * a.y_pitch + first;
        float* const z = a.z + row * a.z_pitch + first;
        const std::int64_t left = tiles.cols - first;
        float sum[kTuning.each] = {};
#pragma unroll
        for (int k = 0; k < kTuning.each; ++k)
            if (k * tiles.lanes < left) sum[k] = x[k * tiles.lanes] + y[k * tiles.lanes];
#pragma unroll
        for (int k = 0; k < kTuning.each; ++k)
            if (k * tiles.lanes < left) z[k * tiles.lanes] = sum[k];
    });
}

void launch(const AddArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const RowTiles tiles = row_tiles(a.n / a.cols, a.cols, kTuning.each);
    rows<<<row_tile_blocks(tiles, rows, kTuning.block), kTuning.block, 0, stream>>>(a, tiles);
}
}  // namespace

LANEWORK_RUNG(add, rows,
              {
                  .climbs_from = "grid_stride",
                  .lesson = "Rows with a pitch: lanes side by side within a row coalesce, whatever lies between rows.",
                  .launch = launch,
              });
