// expect: wrong — threads read elements of the tile that others have not staged yet
// says: where the reference has
// finding: race at line 15
#include "ops/transpose/operation.hpp"
#include "ops/transpose/tiles.hpp"

namespace {
constexpr int kTile = 16;
using Tile = Tiles<kTile>;

__global__ void missing_barrier(const std::int32_t* in, std::int32_t* out, std::int64_t rows, std::int64_t cols) {
    __shared__ std::int32_t tile[kTile][kTile + 1];
    const Tile::Corner corner = Tile::corner(cols);
    const std::int64_t row = corner.row + threadIdx.y, col = corner.col + threadIdx.x;
    if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = in[row * cols + col];
    // Here __syncthreads() is missing.
    const std::int64_t out_row = corner.col + threadIdx.y, out_col = corner.row + threadIdx.x;
    if (out_row < cols && out_col < rows) out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}

void launch(const TransposeArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    missing_barrier<<<Tile::grid(a.rows, a.cols), dim3(kTile, kTile), 0, stream>>>(a.in, a.out, a.rows, a.cols);
}
}  // namespace

LANEWORK_RUNG(transpose, missing_barrier, {.lesson = "Never: the tile is read before it is full.", .launch = launch});
