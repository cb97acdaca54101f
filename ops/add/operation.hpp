// Addition: z = x + y, element by element.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

struct AddArgs {
    using Element = float;
    const Element* x;  ///< n
    const Element* y;  ///< n
    Element* z;        ///< n; overlaps neither x nor y
    std::int64_t n;    ///< elements

    static AddArgs from(const Problem& problem, const Buffers& buffers) {
        return {static_cast<const Element*>(buffers.data[0]), static_cast<const Element*>(buffers.data[1]),
                static_cast<Element*>(buffers.data[2]), problem.extent[0]};
    }
    bool empty() const { return n == 0; }
};

}  // namespace lanework

using add_signature = lanework::Signature<lanework::AddArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
