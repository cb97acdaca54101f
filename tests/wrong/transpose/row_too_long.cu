// finding: out_of_bounds at line 13
// A row of the tile is read one element beyond its end: inside of shared memory, in the next row.
#include "ops/transpose/operation.hpp"
#include "ops/transpose/tiles.hpp"

namespace {
constexpr int kTile = 16;
using Tile = Tiles<kTile>;

/// The element to the right of the thread's own; `x + 1` without a remainder is one too far in the last column.
__device__ std::int32_t right_of(const std::int32_t (&tile)[kTile][kTile], unsigned y, unsigned x) {
    // (x + 1) % kTile would be right
    return tile[y][x + 1];
}

__global__ void row_too_long(const std::int32_t* in, std::int32_t* out, std::int64_t rows, std::int64_t cols) {
    __shared__ std::int32_t tile[kTile][kTile];
    const Tile::Corner corner = Tile::corner(cols);
    const std::int64_t row = corner.row + threadIdx.y, col = corner.col + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = row < rows && col < cols ? in[row * cols + col] : 0;
    __syncthreads();
    const std::int64_t out_row = corner.col + threadIdx.y, out_col = corner.row + threadIdx.x;
    if (out_row < cols && out_col < rows)
        out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y] + 0 * right_of(tile, threadIdx.x, threadIdx.y);
}

void launch(const TransposeArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    row_too_long<<<Tile::grid(a.rows, a.cols), dim3(kTile, kTile), 0, stream>>>(a.in, a.out, a.rows, a.cols);
}
}  // namespace

LANEWORK_RUNG(transpose, row_too_long, {.lesson = "Never: the next row is not the next column.", .launch = launch});
