// Transpose: B[cols×rows] = A[rows×cols]ᵀ, both row-major and tightly packed, of 4-byte integers.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

struct TransposeArgs {
    using Element = std::int32_t;
    const Element* in;  ///< rows × cols
    Element* out;       ///< cols × rows
    std::int64_t rows, cols;

    static TransposeArgs from(const Problem& problem, const Buffers& buffers) {
        return {static_cast<const Element*>(buffers.data[0]), static_cast<Element*>(buffers.data[1]), problem.extent[0],
                problem.extent[1]};
    }
    bool empty() const { return rows == 0 || cols == 0; }
};

}  // namespace lanework

using transpose_signature = lanework::Signature<lanework::TransposeArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
