// One edge from the three rows around it: what the cpu rungs do at borders and tails.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "ops/sobel/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// The row of an edge and its neighbours, the border reflected.
struct Rows {
    const std::uint8_t *above, *here, *below;
};

inline Rows rows_around(const SobelArgs& a, std::int64_t y) {
    return {a.gray + reflect(y - 1, a.height) * a.width, a.gray + y * a.width,
            a.gray + reflect(y + 1, a.height) * a.width};
}

/// A float holds every square exactly, and its root is nearer to the true one than any tie: see edge.cuh.
template <SobelForm form>
std::uint8_t edge_at(const Rows& rows, std::int64_t x, std::int64_t width) {
    const std::int64_t left = reflect(x - 1, width), right = reflect(x + 1, width);
    const auto [above, here, below] = rows;
    const int gx = above[right] + 2 * here[right] + below[right] - above[left] - 2 * here[left] - below[left];
    const int gy = below[left] + 2 * below[x] + below[right] - above[left] - 2 * above[x] - above[right];
    if constexpr (form == SobelForm::half_sum)
        return static_cast<std::uint8_t>(std::min((std::abs(gx) + std::abs(gy)) / 2, kBrightest));
    const int square = std::min(gx * gx + gy * gy, kBrightest * kBrightest);
    return static_cast<std::uint8_t>(std::sqrt(static_cast<float>(square)) + 0.5F);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
