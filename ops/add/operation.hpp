// Addition: z = x + y, element by element.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

LANEWORK_AXES(AddAxes, n);

struct AddArgs {
    using Element = float;
    const Element* x;  ///< n
    const Element* y;  ///< n
    Element* z;        ///< n; overlaps neither x nor y
    std::int64_t n;    ///< elements

    static AddArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [x, y, z] = buffers.arrays<const Element, const Element, Element>();
        const auto [n] = problem.lengths<AddAxes>();
        return {x, y, z, n};
    }
    bool empty() const { return n == 0; }
};

}  // namespace lanework

using add_signature = lanework::Signature<lanework::AddArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
