// Staging a tile in shared memory lets both global sides coalesce; its column reads collide in the banks.
#include "ops/transpose/operation.hpp"
#include "ops/transpose/tiles.hpp"

namespace {
constexpr int kTile = 16;
using Tile = Tiles<kTile>;

__global__ void shared_tile(const std::int32_t* in, std::int32_t* out, std::int64_t rows, std::int64_t cols) {
    __shared__ std::int32_t tile[kTile][kTile];
    const Tile::Corner corner = Tile::corner(cols);
    const std::int64_t row = corner.row + threadIdx.y, col = corner.col + threadIdx.x;
    if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = in[row * cols + col];
    __syncthreads();
    const std::int64_t out_row = corner.col + threadIdx.y, out_col = corner.row + threadIdx.x;
    if (out_row < cols && out_col < rows) out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}

void launch(const TransposeArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    shared_tile<<<Tile::grid(a.rows, a.cols), dim3(kTile, kTile), 0, stream>>>(a.in, a.out, a.rows, a.cols);
}
}  // namespace

LANEWORK_RUNG(transpose, shared_tile,
              {
                  .climbs_from = "coalesced_write",
                  .lesson = "Stage a tile in shared memory: both sides of the copy coalesce.",
                  .launch = launch,
                  .refuses = Tile::refuse,
                  .fits = rows_touch<std::int32_t>,
                  .only = kRowsTouch,
              });
