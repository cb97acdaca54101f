// Transpose: B[cols×rows] = A[rows×cols]ᵀ, both row-major, of elements of 1, 2, 4 or 8 bytes, which are moved as
// integers.
#pragma once

#include <lanework/rung.hpp>

#include "src/core/touching_rows.hpp"

namespace lanework {

LANEWORK_AXES(TransposeAxes, rows, cols);

template <class T>
struct TransposeArgsOf {
    using Element = T;
    const T* in;  ///< rows × cols
    T* out;       ///< cols × rows
    std::int64_t rows, cols;
    std::int64_t in_pitch, out_pitch;  ///< elements from a row to the next: cols and rows where rows touch

    static TransposeArgsOf from(const Problem& problem, const Buffers& buffers) {
        const auto [in, out] = buffers.arrays<const T, T>();
        const auto [rows, cols] = problem.lengths<TransposeAxes>();
        return {in, out, rows, cols, cols, rows};
    }
    bool empty() const { return rows == 0 || cols == 0; }
};
/// Of 4-byte elements, which the ladder's steps are told with.
using TransposeArgs = TransposeArgsOf<std::int32_t>;

/// What rungs compute that know of no pitch: `.fits`, with kRowsTouch as `.only`.
template <class T>
bool rows_touch(const TransposeArgsOf<T>& a) {
    return a.in_pitch == a.cols && a.out_pitch == a.rows;
}

}  // namespace lanework

using transpose_signature =
    lanework::Signature<lanework::TransposeArgs, lanework::TransposeArgsOf<std::uint8_t>,
                        lanework::TransposeArgsOf<std::uint16_t>, lanework::TransposeArgsOf<std::uint64_t>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
