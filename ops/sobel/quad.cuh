// Four neighbouring pixels as one word, at any address and at any border: what the vectorized rungs load and store.
#pragma once

#include "ops/sobel/edge.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kQuad = 4;

/// The four bytes from `from` on; those at or past `end` are not read and come out as 0. Words are read where they
/// are aligned: two of them, shifted, when `from` is not.
__device__ inline std::uint32_t load_word(const std::uint8_t* from, const std::uint8_t* end) {
    const int ahead = static_cast<int>(reinterpret_cast<std::uintptr_t>(from) % kQuad);
    const auto* words = reinterpret_cast<const std::uint32_t*>(from - ahead);
    if (end - from >= (ahead == 0 ? kQuad : 2 * kQuad - ahead)) {
        if (ahead == 0) return words[0];
        return words[0] >> (8 * ahead) | words[1] << (32 - 8 * ahead);
    }
    std::uint32_t word = 0;
    for (int i = 0; i < kQuad && from + i < end; ++i) word |= std::uint32_t{from[i]} << (8 * i);
    return word;
}

/// Stores the first `count` (at most four) bytes of a word at any address.
__device__ inline void store_word(std::uint8_t* to, std::uint32_t word, std::int64_t count) {
    if (count >= kQuad && reinterpret_cast<std::uintptr_t>(to) % kQuad == 0) {
        *reinterpret_cast<std::uint32_t*>(to) = word;
        return;
    }
    for (int i = 0; i < kQuad && i < count; ++i) to[i] = static_cast<std::uint8_t>(word >> (8 * i));
}

/// Pixels x … x+3 of a row with the pixel on either side, continued by reflection.
struct Quad {
    std::uint32_t pixels;
    std::uint32_t left, right;
};

/// `x` lies in the row. Of the pixels past the row's end, the first is its reflection and the others mean nothing.
__device__ inline Quad load_quad(const std::uint8_t* row, std::int64_t x, std::int64_t width, const std::uint8_t* end) {
    Quad quad{load_word(row + x, end), row[reflect(x - 1, width)], 0};
    if (x + kQuad <= width) {
        quad.right = row[reflect(x + kQuad, width)];
    } else {
        const int shift = 8 * static_cast<int>(width - x);
        quad.pixels = (quad.pixels & ~(0xFFu << shift)) | std::uint32_t{row[reflect(width, width)]} << shift;
    }
    return quad;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
