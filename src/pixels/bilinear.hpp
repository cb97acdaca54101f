// The arithmetic of one bilinear sample in each convention: weights of a tap, the sum along a row, the sum of two rows.
// Whoever resamples uses these, or is held against them to the bit. Nothing here may be fused into an FMA.
#pragma once

#include <type_traits>

#include "src/pixels/sampling.hpp"

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
    /// Of samples, which may have been widened.
    static constexpr Sum along(std::int32_t first, std::int32_t second, Weights w) {
        return first * w.first + second * w.second;
    }
    static constexpr std::uint8_t down(Sum above, Sum below, Weights w) {
        return opencv_blend(above, below, w.first, w.second);
    }
};

/// An exact half in the convention opencv, the mean of four samples, in the same steps: nothing is weighed.
template <class T>
struct HalfMean {
    using Sum = float;
    struct Weights {};
    static constexpr Weights weights(const Tap&) { return {}; }
    static constexpr Sum along(T first, T second, Weights) { return first + second; }
    static constexpr T down(Sum above, Sum below, Weights) { return (above + below) * 0.25F; }
};
template <>
struct HalfMean<std::uint8_t> {
    using Sum = std::int32_t;
    struct Weights {};
    static constexpr Weights weights(const Tap&) { return {}; }
    static constexpr Sum along(std::uint8_t first, std::uint8_t second, Weights) { return first + second; }
    static constexpr std::uint8_t down(Sum above, Sum below, Weights) {
        return static_cast<std::uint8_t>((above + below + 2) >> 2);
    }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
