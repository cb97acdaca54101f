// Tally: many threads add to few cells, many times each. With one cell they all meet; with as many cells as threads
// they never do. The rungs differ in where they meet.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

LANEWORK_AXES(TallyAxes, threads, cells, rounds);

struct TallyArgs {
    using Element = std::int32_t;
    const Element* values;  ///< threads: what each adds, every time
    Element* out;           ///< cells
    std::int64_t threads;   ///< may exceed 2^31
    std::int64_t cells;     ///< thread i adds to cell i mod cells
    std::int64_t rounds;    ///< how often each adds, at least 0

    static TallyArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [values, out] = buffers.arrays<const Element, Element>();
        const auto [threads, cells, rounds] = problem.lengths<TallyAxes>();
        return {values, out, threads, cells, rounds};
    }
    std::size_t bytes() const { return static_cast<std::size_t>(cells) * sizeof(Element); }
};

/// Modulo 2^32.
constexpr std::int32_t wrapping_product(std::int32_t value, std::int64_t rounds) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(value) * static_cast<std::uint32_t>(rounds));
}

}  // namespace lanework

using tally_signature = lanework::Signature<lanework::TallyArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
