// The order in which tiles of C are counted: along its shorter side first, so that those that run together share more
// of what they fetch.
#pragma once

#include <cstdint>
#include <lanework/on_device.hpp>

namespace lanework::inline LANEWORK_ON_DEVICE {

/// In tiles, or clusters of them.
struct PlaceOfTile {
    int down, across;
};
__device__ inline unsigned tiles_along(std::int64_t length, int tile) {
    const auto each = static_cast<unsigned>(tile);
    return (static_cast<unsigned>(length) + each - 1) / each;  // a division of 64 bits takes long
}
__device__ inline PlaceOfTile place_of_tile(unsigned number, unsigned down, unsigned across) {
    const unsigned shorter = down < across ? down : across;
    const auto far = static_cast<int>(number / shorter), near = static_cast<int>(number % shorter);
    return down < across ? PlaceOfTile{near, far} : PlaceOfTile{far, near};
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
