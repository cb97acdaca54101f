// Where an output pixel samples its input. A position is the sum of a part that depends on the column alone and one
// that depends on the row alone, so that neither is computed for every pixel: in the convention opencv whole numbers of
// 2⁻¹⁰ pixels, else doubles.
#pragma once

#include <bit>

#include "ops/warp/operation.hpp"
#include "src/pixels/sampling.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kPositionBits = 10, kFractionBits = 5;
inline constexpr int kFractions = 1 << kFractionBits;  ///< positions between two pixels, in the convention opencv

/// A part of a position. Number is std::int32_t or std::int64_t (2⁻¹⁰ pixels, convention opencv) or double (pixels).
template <class Number>
struct Terms {
    Number x, y;
};

/// The pixels around a position: rows y, y + 1 and columns x, x + 1, and how far it lies from the first towards the
/// second: in 2⁻⁵, or as a float.
template <class Fraction>
struct Site {
    std::int32_t x, y;
    Fraction right, down;
};
template <class Number>
using SiteOf = Site<std::conditional_t<std::is_integral_v<Number>, std::int32_t, float> >;

/// Pixels, to the nearest 2⁻¹⁰, ties to even; saturated at 2⁴⁰ pixels.
template <class Integer>
constexpr Integer fixed_position(double pixels) {
    constexpr double kLargest = static_cast<double>(std::int64_t{1} << 50);
    double value = pixels * (1 << kPositionBits);
    value = value < kLargest ? value : kLargest;
    value = value > -kLargest ? value : -kLargest;
    // Added to 1.5·2⁵², a double has no place for what is smaller than 1, and rounds it away.
    constexpr double kUnit = 6755399441055744.0;
    return static_cast<Integer>(std::bit_cast<std::int64_t>(value + kUnit) - std::bit_cast<std::int64_t>(kUnit));
}

template <class Number>
constexpr Terms<Number> column_terms(const Affine& to_in, std::int64_t column) {
    const auto x = static_cast<double>(column);
    if constexpr (std::is_integral_v<Number>)
        return {fixed_position<Number>(to_in.m[0][0] * x), fixed_position<Number>(to_in.m[1][0] * x)};
    else
        return {to_in.m[0][0] * x, to_in.m[1][0] * x};
}

/// In the convention opencv with the half of 2⁻⁵ that rounds the sum.
template <class Number>
constexpr Terms<Number> row_terms(const Affine& to_in, std::int64_t row) {
    const auto y = static_cast<double>(row);
    const double in_x = to_in.m[0][1] * y + to_in.m[0][2], in_y = to_in.m[1][1] * y + to_in.m[1][2];
    constexpr Number kHalf = 1 << (kPositionBits - kFractionBits - 1);
    if constexpr (std::is_integral_v<Number>)
        return {static_cast<Number>(fixed_position<Number>(in_x) + kHalf),
                static_cast<Number>(fixed_position<Number>(in_y) + kHalf)};
    else
        return {in_x, in_y};
}

inline constexpr std::int32_t kFarAway = -2;  ///< no pixel at it or after it belongs to an image

constexpr std::int32_t pixel_at(std::int32_t position) { return position >> kPositionBits; }
constexpr std::int32_t pixel_at(std::int64_t position) {
    const std::int64_t pixel = position >> kPositionBits;
    return pixel < -1 || pixel >= INT32_MAX ? kFarAway : static_cast<std::int32_t>(pixel);
}
constexpr std::int32_t pixel_at(double position) {
    if (!(position >= -1.0 && position < static_cast<double>(INT32_MAX))) return kFarAway;
    const auto whole = static_cast<std::int32_t>(position);
    return whole - (position < static_cast<double>(whole) ? 1 : 0);
}

template <class Number>
constexpr auto fraction_at(Number position, std::int32_t pixel) {
    if constexpr (std::is_integral_v<Number>)
        return static_cast<std::int32_t>(position >> (kPositionBits - kFractionBits)) & (kFractions - 1);
    else
        return static_cast<float>(position - static_cast<double>(pixel));
}

template <class Number>
constexpr SiteOf<Number> site_of(const Terms<Number>& column, const Terms<Number>& row) {
    const Number x = column.x + row.x, y = column.y + row.y;
    const std::int32_t left = pixel_at(x), top = pixel_at(y);
    return {left, top, fraction_at(x, left), fraction_at(y, top)};
}

/// True where no 2⁻¹⁰ of a pixel that an output of this size reaches, nor a part of its position, leaves 31 bits.
constexpr bool positions_are_narrow(const Affine& to_in, std::int64_t height, std::int64_t width) {
    constexpr double kMost = (1 << (30 - kPositionBits)) - 1;
    const auto magnitude = [](double value) { return value < 0 ? -value : value; };
    for (const auto& [of_x, of_y, offset] : to_in.m) {
        const double across = magnitude(of_x) * static_cast<double>(width),
                     down = magnitude(of_y) * static_cast<double>(height);
        if (!(across + down + magnitude(offset) < kMost)) return false;
    }
    return true;
}

/// Calls body.operator()<Number>() with what positions of these arguments are computed in.
template <class T, class Body>
void with_positions(const WarpArgs<T>& a, const Body& body) {
    if (a.convention == Convention::floating) return body.template operator()<double>();
    if (positions_are_narrow(a.to_in, a.out.height, a.out.width)) return body.template operator()<std::int32_t>();
    body.template operator()<std::int64_t>();
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
