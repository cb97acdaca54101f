// Order statistics of samples.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace lanework {

/// The value below which this share of the samples lies, by linear interpolation between them (R's type 7). `sorted`
/// holds at least one, the least first; `share` is from 0 to 1.
inline double quantile(std::span<const double> sorted, double share) {
    const double position = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(position));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - std::floor(position));
}

}  // namespace lanework
