// Where an output pixel samples its input along one axis, and with which weights: the conventions of
// docs/image-arithmetic.md, written once for every operation and device. Nothing here may be fused into an FMA.
#pragma once

#include <lanework/image_view.hpp>
#include <lanework/on_device.hpp>

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Weights of 8-bit samples in the convention opencv are integers in 2⁻¹¹.
inline constexpr int kWeightBits = 11, kWeightOne = 1 << kWeightBits;

/// One axis of a resampling: `in` pixels become `out`, both > 0.
struct AxisMap {
    double scale;       ///< 1 / (out / in), as OpenCV computes it
    float float_scale;  ///< in / out
    std::int32_t in;

    static constexpr AxisMap of(std::int64_t in, std::int64_t out) {
        return {1.0 / (static_cast<double>(out) / static_cast<double>(in)),
                static_cast<float>(in) / static_cast<float>(out), static_cast<std::int32_t>(in)};
    }
};

/// The input pixels around a position and how far it lies from the first towards the second: 0 ≤ fraction < 1.
struct Tap {
    std::int32_t first, second;
    float fraction;
};

constexpr std::int32_t floor_of(float value) {
    const auto whole = static_cast<std::int32_t>(value);
    return whole - (value < static_cast<float>(whole) ? 1 : 0);
}

/// To the nearest integer, ties to even; |value| < 2³⁰.
constexpr std::int32_t nearest_even(float value) {
    const std::int32_t below = floor_of(value);
    const float rest = value - static_cast<float>(below);
    return below + (rest > 0.5F || (rest == 0.5F && (below & 1) != 0) ? 1 : 0);
}

/// The 8-bit sample nearest to a value, ties to even, saturated.
constexpr std::uint8_t to_sample(float value) {
    if (!(value > 0)) return 0;
    return value >= 255.0F ? std::uint8_t{255} : static_cast<std::uint8_t>(nearest_even(value));
}

/// Convention opencv, horizontally: beyond the outermost centres the fraction is 0.
constexpr Tap opencv_column(const AxisMap& map, std::int64_t x) {
    const auto position = static_cast<float>((static_cast<double>(x) + 0.5) * map.scale - 0.5);
    const std::int32_t first = floor_of(position);
    if (first < 0) return {0, 0, 0.0F};
    if (first >= map.in - 1) return {map.in - 1, map.in - 1, 0.0F};
    return {first, first + 1, position - static_cast<float>(first)};
}

/// Convention opencv, vertically: the fraction stays as it is, and the rows are clamped.
constexpr Tap opencv_row(const AxisMap& map, std::int64_t y) {
    const auto position = static_cast<float>((static_cast<double>(y) + 0.5) * map.scale - 0.5);
    const std::int32_t first = floor_of(position);
    const auto clamp = [&](std::int32_t row) { return row < 0 ? 0 : row >= map.in ? map.in - 1 : row; };
    return {clamp(first), clamp(first + 1), position - static_cast<float>(first)};
}

/// Conventions floating and legacy, in either direction.
template <Convention convention>
constexpr Tap float_tap(const AxisMap& map, std::int64_t index) {
    const auto i = static_cast<float>(index);
    // PyTorch fuses the product and the difference: here both are exact in double, and rounded to float once.
    float position = convention == Convention::legacy
                         ? i * map.float_scale
                         : static_cast<float>(double{i + 0.5F} * double{map.float_scale} - 0.5);
    if (position < 0) position = 0;
    auto first = static_cast<std::int32_t>(position);
    if (first >= map.in - 1) return {map.in - 1, map.in - 1, 0.0F};
    return {first, first + 1, position - static_cast<float>(first)};
}

template <Convention convention>
constexpr Tap column_tap(const AxisMap& map, std::int64_t x) {
    if constexpr (convention == Convention::opencv)
        return opencv_column(map, x);
    else
        return float_tap<convention>(map, x);
}

template <Convention convention>
constexpr Tap row_tap(const AxisMap& map, std::int64_t y) {
    if constexpr (convention == Convention::opencv)
        return opencv_row(map, y);
    else
        return float_tap<convention>(map, y);
}

/// The integer weights of a tap in the convention opencv, in 2⁻¹¹: each rounded by itself.
constexpr std::int32_t first_weight(const Tap& tap) { return nearest_even((1.0F - tap.fraction) * kWeightOne); }
constexpr std::int32_t second_weight(const Tap& tap) { return nearest_even(tap.fraction * kWeightOne); }

/// Two rows of 8-bit samples that were weighted horizontally (sums in 2⁻¹¹), weighted vertically: OpenCV's rounding.
constexpr std::uint8_t opencv_blend(std::int32_t above, std::int32_t below, std::int32_t above_weight,
                                    std::int32_t below_weight) {
    const std::int32_t sum = ((above_weight * (above >> 4)) >> 16) + ((below_weight * (below >> 4)) >> 16);
    return static_cast<std::uint8_t>((sum + 2) >> 2);
}

/// Exactly half of both sizes: in the convention opencv the mean of four pixels.
constexpr bool is_half(std::int64_t in_height, std::int64_t in_width, std::int64_t out_height, std::int64_t out_width) {
    return in_height == 2 * out_height && in_width == 2 * out_width;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
