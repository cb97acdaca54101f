// Instead of padding, each row permutes its columns by xor with the row: no bank conflicts and no wasted word.
#include "ops/transpose/operation.hpp"
#include "ops/transpose/tiles.hpp"

namespace {
constexpr int kTile = 32, kRows = 8, kPerThread = kTile / kRows;
using Tile = Tiles<kTile>;

/// Where element (row, col) of the tile lies. For a fixed row as for a fixed column, xor is a permutation of the banks.
__device__ int place(int row, int col) { return row * kTile + (col ^ row); }

__global__ void __launch_bounds__(kTile* kRows)
    swizzled_tile(const std::int32_t* in, std::int32_t* out, std::int64_t rows, std::int64_t cols) {
    __shared__ std::int32_t tile[kTile * kTile];
    const Tile::Corner corner = Tile::corner(cols);
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);

    const std::int64_t row = corner.row + y, col = corner.col + x;
    std::int32_t held[kPerThread];
#pragma unroll
    for (int k = 0; k < kPerThread; ++k)
        held[k] = row + k * kRows < rows && col < cols ? in[(row + k * kRows) * cols + col] : 0;
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) tile[place(y + k * kRows, x)] = held[k];
    __syncthreads();

    const std::int64_t out_row = corner.col + y, out_col = corner.row + x;
#pragma unroll
    for (int k = 0; k < kPerThread; ++k)
        if (out_row + k * kRows < cols && out_col < rows)
            out[(out_row + k * kRows) * rows + out_col] = tile[place(x, y + k * kRows)];
}

void launch(const TransposeArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    swizzled_tile<<<Tile::grid(a.rows, a.cols), dim3(kTile, kRows), 0, stream>>>(a.in, a.out, a.rows, a.cols);
}
}  // namespace

LANEWORK_RUNG(transpose, swizzled_tile,
              {
                  .climbs_from = "padded_tile",
                  .lesson = "An xor swizzle does what padding does, and keeps rows aligned for wide accesses.",
                  .launch = launch,
                  .refuses = Tile::refuse,
                  .fits = rows_touch<std::int32_t>,
                  .only = kRowsTouch,
              });
