// Spill: a lagged recurrence that keeps its last 16 values in a ring, one small array for each thread. Whether the ring
// lies in registers or in memory is decided by how it is indexed.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

/// Values in the ring, and how many steps back the second operand lies.
inline constexpr int kRing = 16, kLag = 5;

LANEWORK_AXES(SpillAxes, n, steps);

struct SpillArgs {
    using Element = std::int32_t;
    const std::int32_t* in;  ///< n elements: what each ring is filled from
    std::int32_t* out;       ///< n elements: each ring's values after the last step, folded into one
    std::int64_t n;          ///< elements; may exceed 2^31
    std::int64_t steps;      ///< at least 0

    static SpillArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [in, out] = buffers.arrays<const std::int32_t, std::int32_t>();
        const auto [n, steps] = problem.lengths<SpillAxes>();
        return {in, out, n, steps};
    }
};

// All arithmetic wraps around. The multiplier is odd, so that no bits are lost.
inline constexpr std::uint32_t kMultiplier = 0x9E3779B1;

/// What element x puts at `place` of its ring.
constexpr std::uint32_t initial(std::uint32_t x, int place) {
    return (x ^ static_cast<std::uint32_t>(place)) * kMultiplier + static_cast<std::uint32_t>(place);
}
/// What replaces the oldest value of the ring, given the one kLag steps back.
constexpr std::uint32_t next(std::uint32_t oldest, std::uint32_t lagged) { return oldest * kMultiplier + lagged; }
/// One more value of the ring, in the order of places, in the result.
constexpr std::uint32_t fold(std::uint32_t result, std::uint32_t value) { return (result ^ value) * kMultiplier; }

/// The place that step `step` replaces, and the one it reads beside.
constexpr int place_of(std::int64_t step) { return static_cast<int>(step % kRing); }
constexpr int lagged_place(std::int64_t step) { return static_cast<int>((step + kRing - kLag) % kRing); }

}  // namespace lanework

using spill_signature = lanework::Signature<lanework::SpillArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
