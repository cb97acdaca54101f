// A warp reads 32 neighbours of a row and scatters them down a column: 32 sectors written for 128 bytes.
#include "ops/transpose/operation.hpp"
#include "ops/transpose/tiles.hpp"

namespace {
constexpr int kRows = 8, kCols = 32;
using Patch = Tiles<kRows, kCols>;

template <class T>
__global__ void coalesced_read(const T* in, T* out, std::int64_t rows, std::int64_t cols) {
    const Patch::Corner corner = Patch::corner(cols);
    const std::int64_t row = corner.row + threadIdx.y, col = corner.col + threadIdx.x;
    if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}

template <class T>
void launch(const TransposeArgsOf<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    coalesced_read<<<Patch::grid(a.rows, a.cols), dim3(kCols, kRows), 0, stream>>>(a.in, a.out, a.rows, a.cols);
}
}  // namespace

LANEWORK_RUNG(transpose, coalesced_read,
              {
                  .lesson = "Reads coalesce, writes do not: each lane's store opens a sector of its own.",
                  .launch = {launch<std::int32_t>, launch<std::uint8_t>, launch<std::uint16_t>, launch<std::uint64_t>},
                  .refuses = Patch::refuse,
                  .fits = {rows_touch<std::int32_t>, rows_touch<std::uint8_t>, rows_touch<std::uint16_t>,
                           rows_touch<std::uint64_t>},
                  .only = kRowsTouch,
              });
