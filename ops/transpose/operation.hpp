// Transpose: B[cols×rows] = A[rows×cols]ᵀ, both row-major, of 4-byte elements, which are moved as integers.
#pragma once

#include <lanework/rung.hpp>

#include "src/core/touching_rows.hpp"

namespace lanework {

LANEWORK_AXES(TransposeAxes, rows, cols);

struct TransposeArgs {
    using Element = std::int32_t;
    const Element* in;  ///< rows × cols
    Element* out;       ///< cols × rows
    std::int64_t rows, cols;
    std::int64_t in_pitch, out_pitch;  ///< elements from a row to the next: cols and rows where rows touch

    static TransposeArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [in, out] = buffers.arrays<const Element, Element>();
        const auto [rows, cols] = problem.lengths<TransposeAxes>();
        return {in, out, rows, cols, cols, rows};
    }
    bool empty() const { return rows == 0 || cols == 0; }
};

/// What rungs compute that know of no pitch: `.fits`, with kRowsTouch as `.only`.
inline bool rows_touch(const TransposeArgs& a) { return a.in_pitch == a.cols && a.out_pitch == a.rows; }

}  // namespace lanework

using transpose_signature = lanework::Signature<lanework::TransposeArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
