// The arithmetic of one element, on every device.
#pragma once

#include "ops/pipeline/operation.hpp"

#ifdef __CUDACC__
#define LANEWORK_ON_BOTH_SIDES __host__ __device__
#else
#define LANEWORK_ON_BOTH_SIDES
#endif

namespace lanework::inline LANEWORK_ON_DEVICE {

/// `x[i]` is element i of all n, wherever the part that is here begins.
LANEWORK_ON_BOTH_SIDES inline float mean_of_means(const float* a, const float* b, std::int64_t i, std::int64_t n) {
    const std::int64_t left = i > 0 ? i - 1 : 0, right = i + 1 < n ? i + 1 : n - 1;
    return ((a[left] + a[i] + a[right]) / 3.0F + (b[left] + b[i] + b[right]) / 3.0F) / 2.0F;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
