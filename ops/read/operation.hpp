// Read: y = the exclusive or of all words of A (4 bytes each). Its best rung is the ceiling of everything that reads.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

struct ReadArgs {
    using Element = std::int32_t;
    const Element* in;  ///< words
    Element* out;       ///< one word; 0 when there are none to read
    std::int64_t words;

    static ReadArgs from(const Problem& problem, const Buffers& buffers) {
        return {static_cast<const Element*>(buffers.data[0]), static_cast<Element*>(buffers.data[1]),
                problem.extent[0]};
    }
};

}  // namespace lanework

using read_signature = lanework::Signature<lanework::ReadArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
