// A candidate for the extreme: a value and where it is. Of equal values the first counts, so that the order in which
// candidates meet changes nothing.
#pragma once

#include <limits>

#include "ops/reduce/operation.hpp"

namespace lanework {

template <class T>
struct Candidate {
    T value;
    std::int64_t place;
};

/// What every candidate beats.
template <bool kLargest, class T>
constexpr Candidate<T> nobody() {
    using Limits = std::numeric_limits<T>;
    constexpr T kLow = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    constexpr T kHigh = Limits::has_infinity ? Limits::infinity() : Limits::max();
    return {kLargest ? kLow : kHigh, std::numeric_limits<std::int64_t>::max()};
}

/// The challenger if it beats the best so far. NaN beats no one, and so is never the extreme.
template <bool kLargest, class T>
constexpr Candidate<T> better(const Candidate<T>& best, const Candidate<T>& challenger) {
    const bool beats = kLargest ? challenger.value > best.value : challenger.value < best.value;
    return beats || (challenger.value == best.value && challenger.place < best.place) ? challenger : best;
}

/// The place that is written: −1 when there was no one.
template <class T>
constexpr std::int64_t place_of(const Candidate<T>& winner) {
    return winner.place == std::numeric_limits<std::int64_t>::max() ? -1 : winner.place;
}

}  // namespace lanework
