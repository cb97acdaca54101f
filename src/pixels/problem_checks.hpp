// What a user may type as the size of images: lengths and channels that images can have.
#pragma once

#include <fmt/format.h>

#include <lanework/error.hpp>
#include <lanework/problem.hpp>
#include <limits>
#include <string_view>

namespace lanework {

/// Throws UsageError for a problem whose first `sides` axes are not all sides of images, or whose axis behind them has
/// not 1, 3 or 4 channels.
inline void require_images(std::string_view operation, const Problem& p, std::size_t sides) {
    constexpr std::int64_t kMostSide = std::numeric_limits<std::int32_t>::max();
    for (std::size_t side = 0; side < sides; ++side)
        if (p.extent[side] < 0 || p.extent[side] > kMostSide)
            throw UsageError(
                fmt::format("{}: a side of {} pixels; from 0 to {} is right", operation, p.extent[side], kMostSide));
    if (const std::int64_t channels = p.extent[sides]; channels != 1 && channels != 3 && channels != 4)
        throw UsageError(fmt::format("{}: {} channels; 1, 3 and 4 are right", operation, channels));
}

}  // namespace lanework
