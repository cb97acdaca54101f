// Relay: many short steps, each on what the one before left. How a step begins costs more than the step: the rungs
// differ in nothing else, and so show what a launch costs.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

LANEWORK_AXES(RelayAxes, words, steps);

struct RelayArgs {
    using Element = std::int32_t;
    const Element* in;   ///< words
    Element* out;        ///< words
    std::int64_t words;  ///< may exceed 2^31
    std::int64_t steps;  ///< at least 0
    Prepared* prepared;  ///< what the rung prepared, if anything

    static RelayArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [in, out] = buffers.arrays<const Element, Element>();
        const auto [words, steps] = problem.lengths<RelayAxes>();
        return {in, out, words, steps, buffers.prepared};
    }
    std::size_t bytes() const { return static_cast<std::size_t>(words) * sizeof(Element); }
};

/// One step of one word; wraps around. The multiplier is odd, so that no bits are lost.
constexpr std::int32_t stepped(std::int32_t x) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) * 0x9E3779B1u + 1u);
}

}  // namespace lanework

using relay_signature = lanework::Signature<lanework::RelayArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
