// Four RGB pixels are twelve bytes: three words that every rung after the first takes apart the same way.
#pragma once

#include "ops/gray/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kPixelsPerWord = 4;  ///< gray bytes in a word of output
inline constexpr int kWordsPerQuad = 3;   ///< words of input for a word of output

constexpr std::uint32_t byte_of(std::uint32_t word, int index) { return word >> (8 * index) & 0xFF; }

/// Four gray bytes of the words rgbr gbrg brgb (little-endian).
template <GrayForm form>
constexpr std::uint32_t gray_of_quad(std::uint32_t low, std::uint32_t middle, std::uint32_t high) {
    return gray_of<form>(byte_of(low, 0), byte_of(low, 1), byte_of(low, 2)) |
           gray_of<form>(byte_of(low, 3), byte_of(middle, 0), byte_of(middle, 1)) << 8 |
           gray_of<form>(byte_of(middle, 2), byte_of(middle, 3), byte_of(high, 0)) << 16 |
           gray_of<form>(byte_of(high, 1), byte_of(high, 2), byte_of(high, 3)) << 24;
}

/// The pixels from `pixel` to the end, for the tail that does not fill a word.
template <GrayForm form>
constexpr void gray_one_by_one(const std::uint8_t* rgb, std::uint8_t* gray, std::int64_t pixel, std::int64_t pixels) {
    for (; pixel < pixels; ++pixel)
        gray[pixel] = static_cast<std::uint8_t>(gray_of<form>(rgb[3 * pixel], rgb[3 * pixel + 1], rgb[3 * pixel + 2]));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
