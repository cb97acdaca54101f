// Write: B[i] = start + i, words of 4 bytes. Its best rung is the ceiling of everything that only writes.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

struct WriteArgs {
    using Element = std::int32_t;
    const Element* start;  ///< one word: the value of the first element
    Element* out;          ///< words
    std::int64_t words;

    static WriteArgs from(const Problem& problem, const Buffers& buffers) {
        return {static_cast<const Element*>(buffers.data[0]), static_cast<Element*>(buffers.data[1]),
                problem.extent[0]};
    }
};

}  // namespace lanework

using write_signature = lanework::Signature<lanework::WriteArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
