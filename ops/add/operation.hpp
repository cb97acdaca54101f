// Addition: z = x + y, element by element.
#pragma once

#include <lanework/rung.hpp>

#include "src/core/one_row.hpp"

namespace lanework {

LANEWORK_AXES(AddAxes, n);

struct AddArgs {
    using Element = float;
    const Element* x;                        ///< n
    const Element* y;                        ///< n
    Element* z;                              ///< n; overlaps x and y nowhere or is one of them
    std::int64_t n;                          ///< elements
    std::int64_t cols;                       ///< of which a row has so many: n where they lie side by side
    std::int64_t x_pitch, y_pitch, z_pitch;  ///< elements from a row to the next; of one row nobody reads it

    static AddArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [x, y, z] = buffers.arrays<const Element, const Element, Element>();
        const auto [n] = problem.lengths<AddAxes>();
        return {x, y, z, n, n, n, n, n};
    }
    bool empty() const { return n == 0; }
};

}  // namespace lanework

using add_signature = lanework::Signature<lanework::AddArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
