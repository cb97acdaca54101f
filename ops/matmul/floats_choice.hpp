// Which products of floats are split into pieces, and how: what the ladder's choice and the public function ask.
#pragma once

#include <algorithm>

#include "ops/matmul/operation.hpp"

namespace lanework {

/// To write pieces of floats takes longer than to split them again for every tile; of B by columns none are written,
/// but sums may be so short that C is most of the work.
inline bool splits_on_arrival(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    constexpr std::int64_t kShort = 32;
    const std::int64_t side = n % 4 != 0 || k % 4 != 0 ? 2112 : 1450;  // rows that begin anywhere; whole 16 bytes
    return (form_of(p) == MatmulForm::nt && n > kShort) || m * k <= side * side || std::min(m, k) <= 256;
}
/// Tiles of 128 × 256 and three pieces of each operand pay.
inline bool has_long_sums(const Problem& p) { return p.lengths<MatmulAxes>().n >= 64; }
/// Whether a product with B by columns takes a GPU longer than putting B in rows first, and then multiplying: where
/// `split_floats` is chosen by rows, which reads nothing else, and moving n·k is little beside the product.
inline bool is_faster_in_rows(const Problem& p) {
    Problem by_rows = p;
    by_rows.variant = variant_of(MatmulForm::nn, epilogue_of(p));
    return form_of(p) == MatmulForm::nt && p.dtype == DType::float32 && has_long_sums(p) && !splits_on_arrival(by_rows);
}

}  // namespace lanework
