// finding: bank_conflict at line 19
// Rows of 32 words begin in the same bank: the lanes that read a column of the tile all want words of one bank.
#include "ops/transpose/operation.hpp"
#include "ops/transpose/tiles.hpp"

namespace {
constexpr int kTile = 32;
using Tile = Tiles<kTile>;

__global__ void unpadded_tile(const std::int32_t* in, std::int32_t* out, std::int64_t rows, std::int64_t cols) {
    __shared__ std::int32_t tile[kTile][kTile];  // kTile + 1 would be right
    const Tile::Corner corner = Tile::corner(cols);
    const std::int64_t row = corner.row + threadIdx.y, col = corner.col + threadIdx.x;
    if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = in[row * cols + col];
    __syncthreads();

    const std::int64_t out_row = corner.col + threadIdx.y, out_col = corner.row + threadIdx.x;
    if (out_row >= cols || out_col >= rows) return;
    out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}

void launch(const TransposeArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    unpadded_tile<<<Tile::grid(a.rows, a.cols), dim3(kTile, kTile), 0, stream>>>(a.in, a.out, a.rows, a.cols);
}
}  // namespace

LANEWORK_RUNG(transpose, unpadded_tile, {.lesson = "Never: a column of the tile lies in one bank.", .launch = launch});
