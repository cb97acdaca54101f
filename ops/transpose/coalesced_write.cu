// The same walk the other way round: a warp gathers down a column and writes 32 neighbours of a row.
#include "ops/transpose/operation.hpp"
#include "ops/transpose/tiles.hpp"

namespace {
constexpr int kRows = 32, kCols = 8;
using Patch = Tiles<kRows, kCols>;

__global__ void coalesced_write(const std::int32_t* in, std::int32_t* out, std::int64_t rows, std::int64_t cols) {
    const Patch::Corner corner = Patch::corner(cols);
    const std::int64_t row = corner.row + threadIdx.x, col = corner.col + threadIdx.y;
    if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}

void launch(const TransposeArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    coalesced_write<<<Patch::grid(a.rows, a.cols), dim3(kRows, kCols), 0, stream>>>(a.in, a.out, a.rows, a.cols);
}
}  // namespace

LANEWORK_RUNG(transpose, coalesced_write,
              {
                  .climbs_from = "coalesced_read",
                  .lesson = "Scattered reads cost less than scattered writes: a cache keeps the rest of each sector.",
                  .launch = launch,
                  .refuses = Patch::refuse,
                  .fits = rows_touch<std::int32_t>,
                  .only = kRowsTouch,
              });
// mends: uncoalesced_access
