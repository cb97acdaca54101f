// Square blocks small enough that the lines of both sides stay in the first cache until they are full.
#include <algorithm>

#include "ops/transpose/operation.hpp"

namespace {

constexpr std::int64_t kBlock = 32;  // 2 × 32 × 32 × 4 bytes are 8 KiB, of 8 bytes 16

template <class T>
void transpose_block(const TransposeArgsOf<T>& a, std::int64_t first_row, std::int64_t first_col) {
    const std::int64_t last_row = std::min(first_row + kBlock, a.rows), last_col = std::min(first_col + kBlock, a.cols);
    for (std::int64_t col = first_col; col < last_col; ++col)
        for (std::int64_t row = first_row; row < last_row; ++row)
            a.out[col * a.out_pitch + row] = a.in[row * a.in_pitch + col];
}

template <class T>
void launch(const TransposeArgsOf<T>& a, Team) {
    for (std::int64_t row = 0; row < a.rows; row += kBlock)
        for (std::int64_t col = 0; col < a.cols; col += kBlock) transpose_block(a, row, col);
}

}  // namespace

LANEWORK_RUNG(transpose, blocked,
              {
                  .climbs_from = "serial",
                  .lesson = "Work in blocks that fit the cache: each line is fetched once and used whole.",
                  .launch = {launch<std::int32_t>, launch<std::uint8_t>, launch<std::uint16_t>, launch<std::uint64_t>},
              });
