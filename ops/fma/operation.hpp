// Multiply-add, repeated: every element follows x ← x·a + b for a number of steps. Its best rung is the ceiling of
// everything that computes.
#pragma once

#include <algorithm>
#include <lanework/rung.hpp>

namespace lanework {

/// Elements start from this many different values, over and over: element i from starts[i mod kStarts]. So few
/// values are quick to check, and cost the memory nothing.
inline constexpr std::int64_t kStarts = 4096;

LANEWORK_AXES(FmaAxes, elements, steps);

template <class T>
struct FmaArgs {
    using Element = T;
    const T* starts;        ///< min(elements, kStarts)
    const T* coefficients;  ///< two: a, b
    T* out;                 ///< elements
    std::int64_t elements, steps;

    static FmaArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [starts, coefficients, out] = buffers.arrays<const T, const T, T>();
        const auto [elements, steps] = problem.lengths<FmaAxes>();
        return {starts, coefficients, out, elements, steps};
    }
};

}  // namespace lanework

using fma_signature = lanework::Signature<lanework::FmaArgs<float>, lanework::FmaArgs<double>,
                                          lanework::FmaArgs<std::int32_t>, lanework::FmaArgs<lanework::float16>>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
