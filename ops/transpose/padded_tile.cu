// A tile as wide as a warp with one column of padding: rows and columns both spread over all 32 banks.
#include "ops/transpose/operation.hpp"
#include "ops/transpose/tiles.hpp"

namespace {
constexpr int kTile = 32, kRows = 8, kPerThread = kTile / kRows;
using Tile = Tiles<kTile>;

__global__ void __launch_bounds__(kTile* kRows)
    padded_tile(const std::int32_t* in, std::int32_t* out, std::int64_t rows, std::int64_t cols) {
    __shared__ std::int32_t tile[kTile][kTile + 1];
    const Tile::Corner corner = Tile::corner(cols);

    const std::int64_t row = corner.row + threadIdx.y, col = corner.col + threadIdx.x;
    std::int32_t held[kPerThread];  // independent loads: all are under way before the first is waited for
#pragma unroll
    for (int k = 0; k < kPerThread; ++k)
        held[k] = row + k * kRows < rows && col < cols ? in[(row + k * kRows) * cols + col] : 0;
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) tile[threadIdx.y + k * kRows][threadIdx.x] = held[k];
    __syncthreads();

    const std::int64_t out_row = corner.col + threadIdx.y, out_col = corner.row + threadIdx.x;
#pragma unroll
    for (int k = 0; k < kPerThread; ++k)
        if (out_row + k * kRows < cols && out_col < rows)
            out[(out_row + k * kRows) * rows + out_col] = tile[threadIdx.x][threadIdx.y + k * kRows];
}

void launch(const TransposeArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    padded_tile<<<Tile::grid(a.rows, a.cols), dim3(kTile, kRows), 0, stream>>>(a.in, a.out, a.rows, a.cols);
}
}  // namespace

LANEWORK_RUNG(transpose, padded_tile,
              {
                  .climbs_from = "padded_tile_16",
                  .lesson = "32x33 words: a padded tile of a warp's width is free of conflicts both ways.",
                  .launch = launch,
                  .refuses = Tile::refuse,
                  .fits = rows_touch<std::int32_t>,
                  .only = kRowsTouch,
              });
// mends: bank_conflict
