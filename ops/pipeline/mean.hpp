// The arithmetic of one element, on every device.
#pragma once

#include "ops/pipeline/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Of element i of n. The parts that are here begin with element `first`, and hold the neighbours of element i, too.
constexpr float mean_of_means(const float* a, const float* b, std::int64_t i, std::int64_t n, std::int64_t first = 0) {
    const std::int64_t left = (i > 0 ? i - 1 : 0) - first, right = (i + 1 < n ? i + 1 : n - 1) - first;
    const std::int64_t middle = i - first;
    return ((a[left] + a[middle] + a[right]) / 3.0F + (b[left] + b[middle] + b[right]) / 3.0F) / 2.0F;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
