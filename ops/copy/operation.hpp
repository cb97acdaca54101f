// Copy: B = A, words of 4 bytes. Its best rung is the ceiling of everything that reads as much as it writes.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

LANEWORK_AXES(CopyAxes, words);

struct CopyArgs {
    using Element = std::int32_t;
    const Element* in;  ///< words
    Element* out;       ///< words
    std::int64_t words;

    static CopyArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [in, out] = buffers.arrays<const Element, Element>();
        const auto [words] = problem.lengths<CopyAxes>();
        return {in, out, words};
    }
};

}  // namespace lanework

using copy_signature = lanework::Signature<lanework::CopyArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
