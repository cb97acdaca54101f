// What the kernels share: from two derivatives to the value of an edge, and the grid over an image.
#pragma once

#include "ops/sobel/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// For magnitude, the square root of a float is near enough: a root below 256 is at least 1/2048 away from the next
/// tie (r + ½ has no integer square), and the error of a float there is 2⁻¹⁶.
template <SobelForm form>
__device__ inline std::uint8_t edge_of(int gx, int gy) {
    if constexpr (form == SobelForm::half_sum) {
        return static_cast<std::uint8_t>(min((abs(gx) + abs(gy)) >> 1, kBrightest));
    } else {
        const int square = min(gx * gx + gy * gy, kBrightest * kBrightest);
        return static_cast<std::uint8_t>(sqrtf(static_cast<float>(square)) + 0.5f);
    }
}

/// A grid of blocks that each cover rows × cols pixels; downwards at most as many as CUDA allows, so that kernels
/// step on by the grid's height.
inline dim3 sobel_grid(const SobelArgs& a, int cols, int rows) {
    constexpr std::int64_t kMostBlocksDown = 65535;
    const std::int64_t down = ceil_div(a.height, rows);
    return dim3(static_cast<unsigned>(ceil_div(a.width, cols)),
                static_cast<unsigned>(down < kMostBlocksDown ? down : kMostBlocksDown));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
