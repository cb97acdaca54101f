// A 17th column shifts each row of the tile by one bank; but a warp spans two rows, and those still meet in a bank.
#include "ops/transpose/operation.hpp"
#include "ops/transpose/tiles.hpp"

namespace {
constexpr int kTile = 16;
using Tile = Tiles<kTile>;

// Lanes 0–15 and 16–31 of a warp are two rows of the block. Element (row, col) lies in bank (17·row + col) mod 32: the
// first warp writes rows 0 and 1, and (1, 15) falls on bank 0 like (0, 0); it reads columns 0 and 1, and (15, 1) falls
// on bank 0 too. One pair that shares a bank makes two wavefronts of the request, in either direction.
__global__ void padded_tile_16(const std::int32_t* in, std::int32_t* out, std::int64_t rows, std::int64_t cols) {
    __shared__ std::int32_t tile[kTile][kTile + 1];
    const Tile::Corner corner = Tile::corner(cols);
    const std::int64_t row = corner.row + threadIdx.y, col = corner.col + threadIdx.x;
    if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = in[row * cols + col];
    __syncthreads();
    const std::int64_t out_row = corner.col + threadIdx.y, out_col = corner.row + threadIdx.x;
    if (out_row < cols && out_col < rows) out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}

void launch(const TransposeArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    padded_tile_16<<<Tile::grid(a.rows, a.cols), dim3(kTile, kTile), 0, stream>>>(a.in, a.out, a.rows, a.cols);
}
}  // namespace

LANEWORK_RUNG(transpose, padded_tile_16,
              {
                  .climbs_from = "shared_tile",
                  .lesson = "Padding a tile narrower than a warp leaves 2-way bank conflicts, on write and on read.",
                  .launch = launch,
                  .refuses = Tile::refuse,
                  .fits = rows_touch<std::int32_t>,
                  .only = kRowsTouch,
              });
