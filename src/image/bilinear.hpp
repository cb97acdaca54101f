// The arithmetic of one bilinear sample in each convention: weights of a tap, the sum along a row, the sum of two rows.
// Whoever resamples uses these, or is held against them to the bit. Nothing here may be fused into an FMA.
#pragma once

#include <type_traits>

#include "src/image/sampling.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Conventions of float weights; and of float samples in every convention.
template <class T, Convention convention>
struct Bilinear {
    using Sum = float;  ///< of a row
    struct Weights {
        float first, second;
    };
    static constexpr Weights weights(const Tap& tap) { return {1.0F - tap.fraction, tap.fraction}; }
    static constexpr Sum along(T first, T second, Weights w) {
        return static_cast<float>(first) * w.first + static_cast<float>(second) * w.second;
    }
    static constexpr T down(Sum above, Sum below, Weights w) {
        const float sum = above * w.first + below * w.second;
        if constexpr (std::is_same_v<T, std::uint8_t>)
            return to_sample(sum);
        else
            return sum;
    }
};

/// OpenCV's integers.
template <>
struct Bilinear<std::uint8_t, Convention::opencv> {
    using Sum = std::int32_t;  ///< of a row, in 2⁻¹¹
    struct Weights {
        std::int32_t first, second;
    };
    static constexpr Weights weights(const Tap& tap) { return {first_weight(tap), second_weight(tap)}; }
    static constexpr Sum along(std::uint8_t first, std::uint8_t second, Weights w) {
        return first * w.first + second * w.second;
    }
    static constexpr std::uint8_t down(Sum above, Sum below, Weights w) {
        return opencv_blend(above, below, w.first, w.second);
    }
};

/// What an exact half is in the convention opencv: a b over c d.
constexpr std::uint8_t mean_of_four(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) {
    return static_cast<std::uint8_t>((a + b + c + d + 2) >> 2);
}
constexpr float mean_of_four(float a, float b, float c, float d) { return ((a + b) + (c + d)) * 0.25F; }

}  // namespace lanework::inline LANEWORK_ON_DEVICE
