// Numbers of 16 bits: IEEE's half precision and bfloat16, rounded to the nearest even.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace lanework::machine {

/// A number with `exponent` bits of exponent and `fraction` of fraction, from a double: one rounding.
inline std::uint16_t narrow_bits(double value, int exponent, int fraction) {
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const int bias = (1 << (exponent - 1)) - 1;
    const auto infinity = static_cast<std::uint16_t>(((1 << exponent) - 1) << fraction);
    if (std::isnan(value)) return 0x7fff;
    value = std::fabs(value);
    if (value == 0) return sign;
    if (std::isinf(value)) return static_cast<std::uint16_t>(sign | infinity);
    const int scale = std::max(std::ilogb(value), 1 - bias) - fraction;
    // Integers of the last place; a carry goes into the exponent as it should.
    const double units = std::nearbyint(std::ldexp(value, -scale));
    const auto whole =
        static_cast<std::uint32_t>(units) + (static_cast<std::uint32_t>(scale + fraction + bias - 1) << fraction);
    return static_cast<std::uint16_t>(sign | std::min<std::uint32_t>(whole, infinity));
}
inline std::uint16_t half_bits(double value) { return narrow_bits(value, 5, 10); }
inline std::uint16_t bfloat_bits(double value) { return narrow_bits(value, 8, 7); }

inline float half_value(std::uint16_t bits) {
    const unsigned exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
    float value = 0;
    if (exponent == 0x1f)
        value = fraction ? std::nanf("") : HUGE_VALF;
    else if (exponent == 0)
        value = std::ldexp(static_cast<float>(fraction), -24);
    else
        value = std::ldexp(static_cast<float>(fraction | 0x400), static_cast<int>(exponent) - 25);
    return bits & 0x8000 ? -value : value;
}
inline float bfloat_value(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

}  // namespace lanework::machine
