// Index: out[i] = i, each element written by the thread whose global linear index it is.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

LANEWORK_AXES(IndexAxes, n);

struct IndexArgs {
    using Element = std::uint64_t;
    Element* out;    ///< n
    std::int64_t n;  ///< elements; threads beyond them write nothing

    static IndexArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [out] = buffers.arrays<Element>();
        const auto [n] = problem.lengths<IndexAxes>();
        return {out, n};
    }
    bool empty() const { return n == 0; }
};

}  // namespace lanework

using index_signature = lanework::Signature<lanework::IndexArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
