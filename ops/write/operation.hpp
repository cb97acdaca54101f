// Write: B[i] = start + i, words of 4 bytes. Its best rung is the ceiling of everything that only writes.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

LANEWORK_AXES(WriteAxes, words);

struct WriteArgs {
    using Element = std::int32_t;
    const Element* start;  ///< one word: the value of the first element
    Element* out;          ///< words
    std::int64_t words;

    static WriteArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [start, out] = buffers.arrays<const Element, Element>();
        const auto [words] = problem.lengths<WriteAxes>();
        return {start, out, words};
    }
};

}  // namespace lanework

using write_signature = lanework::Signature<lanework::WriteArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
