// Grids of one, two and three dimensions that hold at least a given number of blocks.
#pragma once

#include <lanework/on_device.hpp>
#include <lanework/problem.hpp>
#include <string_view>

namespace lanework::inline LANEWORK_ON_DEVICE {

/// What a launch's dim3 is made from.
struct GridShape {
    unsigned x = 1, y = 1, z = 1;
};

/// The most blocks along a grid's axes (CUDA C++ Programming Guide, table "Technical Specifications").
inline constexpr std::int64_t kMaxGridX = 2147483647, kMaxGridYZ = 65535;

namespace index_shape {

/// The largest r ≤ kMaxGridYZ with r^power ≤ value.
constexpr std::int64_t root(std::int64_t value, int power) {
    std::int64_t low = 0, high = kMaxGridYZ;  // 65535³ < 2⁴⁸: no overflow
    while (low < high) {
        const std::int64_t middle = (low + high + 1) / 2;
        const std::int64_t raised = power == 2 ? middle * middle : middle * middle * middle;
        if (raised <= value)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

constexpr std::int64_t clamp_yz(std::int64_t blocks, std::int64_t least) {
    return blocks < least ? least : blocks > kMaxGridYZ ? kMaxGridYZ : blocks;
}

}  // namespace index_shape

constexpr GridShape line_of_blocks(std::int64_t blocks) { return {static_cast<unsigned>(blocks)}; }

/// Why a line of blocks cannot cover n threads; empty when it can.
constexpr std::string_view line_refusal(std::int64_t n, std::int64_t block_threads) {
    return ceil_div(n, block_threads) <= kMaxGridX ? std::string_view()
                                                   : "a one-dimensional grid ends at 2147483647 blocks";
}

/// A plane with no degenerate and no equal sides, so that a forgotten or swapped factor cannot go unseen.
constexpr GridShape plane_of_blocks(std::int64_t blocks) {
    const std::int64_t y = index_shape::clamp_yz(index_shape::root(blocks, 2), 2);
    const std::int64_t x = ceil_div(blocks, y);
    return {static_cast<unsigned>(x > y ? x : y + 1), static_cast<unsigned>(y)};
}

/// The same with three sides.
constexpr GridShape box_of_blocks(std::int64_t blocks) {
    const std::int64_t z = index_shape::clamp_yz(index_shape::root(blocks, 3), 2);
    const std::int64_t y = index_shape::clamp_yz(z + 1, 3);
    const std::int64_t x = ceil_div(blocks, y * z);
    return {static_cast<unsigned>(x > y ? x : y + 1), static_cast<unsigned>(y), static_cast<unsigned>(z)};
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
