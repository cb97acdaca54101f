// Read: y = the exclusive or of all words of A (4 bytes each). Its best rung is the ceiling of everything that reads.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

LANEWORK_AXES(ReadAxes, words);

struct ReadArgs {
    using Element = std::int32_t;
    const Element* in;  ///< words
    Element* out;       ///< one word; 0 when there are none to read
    std::int64_t words;

    static ReadArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [in, out] = buffers.arrays<const Element, Element>();
        const auto [words] = problem.lengths<ReadAxes>();
        return {in, out, words};
    }
};

}  // namespace lanework

using read_signature = lanework::Signature<lanework::ReadArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
