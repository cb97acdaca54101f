// Divergence: even elements follow one recurrence, odd elements another. The two sides are different code of equal
// cost; which threads take which side is the rung's choice.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

LANEWORK_AXES(DivergenceAxes, n, rounds);

struct DivergenceArgs {
    using Element = std::int32_t;
    const std::int32_t* in;  ///< n elements
    std::int32_t* out;       ///< n elements, each after `rounds` steps of its side
    std::int64_t n;          ///< elements; may exceed 2^31
    std::int64_t rounds;     ///< steps, at least 0

    static DivergenceArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [in, out] = buffers.arrays<const std::int32_t, std::int32_t>();
        const auto [n, rounds] = problem.lengths<DivergenceAxes>();
        return {in, out, n, rounds};
    }
};

// Every step is a bijection of 32-bit words, so that a step too many or too few shows, and no two steps fold into one,
// for a compiler either: a chain of mere multiply-adds would. All arithmetic wraps around.

/// Factors, addends and masks of the steps: odd where they multiply, else any bits will do.
inline constexpr std::uint32_t kFactor = 0x915F77F5, kOtherFactor = 0x3C6EF35F;
inline constexpr std::uint32_t kAddend = 0x2545F491, kOtherAddend = 0x85EBCA6B;
inline constexpr std::uint32_t kMask = 0x6A09E667, kOtherMask = 0xBB67AE85;

/// A step of even elements: x ← (2ax + b)x + c, a quadratic that runs through all words.
constexpr std::uint32_t even_step(std::uint32_t x) { return (2 * kFactor * x + kOtherFactor) * x + kAddend; }

/// A step of odd elements: x ← (ax + b) xor m, and the same with other numbers.
constexpr std::uint32_t odd_step(std::uint32_t x) {
    const std::uint32_t half = (kFactor * x + kAddend) ^ kMask;
    return (kOtherFactor * half + kOtherAddend) ^ kOtherMask;
}

}  // namespace lanework

using divergence_signature = lanework::Signature<lanework::DivergenceArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
