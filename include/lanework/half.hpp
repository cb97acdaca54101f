// The two 16-bit floating-point formats as they lie in memory, and their exact conversions from and to float.
// Arithmetic is done in float: these types hold. C++17, as the programs are that the simt device's headers serve.
#pragma once

#include <cstdint>

namespace lanework {

/// IEEE 754 binary16: 5 bits of exponent, 10 of fraction; 65504 is the largest.
struct float16 {
    std::uint16_t bits = 0;
    friend constexpr bool operator==(float16 a, float16 b) { return a.bits == b.bits; }
    friend constexpr bool operator!=(float16 a, float16 b) { return a.bits != b.bits; }
};

/// The upper half of a float: 8 bits of exponent, 7 of fraction.
struct bfloat16 {
    std::uint16_t bits = 0;
    friend constexpr bool operator==(bfloat16 a, bfloat16 b) { return a.bits == b.bits; }
    friend constexpr bool operator!=(bfloat16 a, bfloat16 b) { return a.bits != b.bits; }
};

namespace half_bits {

// What CUDA's conversions make of every NaN (the PTX ISA's canonical NaN).
inline constexpr std::uint32_t kFloatNan = 0x7fffffff;
inline constexpr std::uint16_t kHalfNan = 0x7fff;

/// magnitude ÷ 2^shift, rounded to nearest, ties to even; 0 < shift < 32.
[[gnu::always_inline]] constexpr std::uint32_t shift_to_nearest(std::uint32_t magnitude, std::uint32_t shift) {
    const std::uint32_t half = 1u << (shift - 1), odd = magnitude >> shift & 1;
    return (magnitude + (half - 1) + odd) >> shift;
}

}  // namespace half_bits

/// The same number: every float16 is a float.
[[gnu::always_inline]] constexpr float to_float(float16 h) {
    const std::uint32_t sign = (h.bits & 0x8000u) << 16, magnitude = h.bits & 0x7fffu;
    if (magnitude > 0x7c00u) return __builtin_bit_cast(float, half_bits::kFloatNan);
    if (magnitude == 0x7c00u) return __builtin_bit_cast(float, sign | 0x7f800000u);
    if (magnitude < 0x0400u) {  // subnormal, or zero: a whole number of 2^-24
        const float value = static_cast<float>(magnitude) * 0x1p-24F;
        return sign ? -value : value;
    }
    return __builtin_bit_cast(float, sign | ((magnitude << 13) + ((127u - 15u) << 23)));
}

/// The same number: a bfloat16 is the upper half of a float.
[[gnu::always_inline]] constexpr float to_float(bfloat16 b) {
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(b.bits) << 16);
}

/// To the nearest, ties to even; from 65520 on infinity, below 2^-14 a subnormal or zero.
[[gnu::always_inline]] constexpr float16 to_float16(float value) {
    const auto bits = __builtin_bit_cast(std::uint32_t, value);
    const std::uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
    std::uint32_t rounded = 0;
    if (magnitude > 0x7f800000u) return {half_bits::kHalfNan};
    if (magnitude >= 0x477ff000u)  // 65520, half-way between the largest and what would be the next
        rounded = 0x7c00u;
    else if (magnitude >= 0x38800000u)  // 2^-14, the smallest that is normal; a carry goes into the exponent
        rounded = half_bits::shift_to_nearest(magnitude - ((127u - 15u) << 23), 13);
    else if (magnitude > 0x33000000u)  // 2^-25, which lies half-way to zero and is rounded to it
        rounded = half_bits::shift_to_nearest((magnitude & 0x7fffffu) | 0x800000u, 126u - (magnitude >> 23));
    return {static_cast<std::uint16_t>(sign | rounded)};
}

/// To the nearest, ties to even.
[[gnu::always_inline]] constexpr bfloat16 to_bfloat16(float value) {
    const auto bits = __builtin_bit_cast(std::uint32_t, value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return {half_bits::kHalfNan};
    const std::uint32_t rounded = half_bits::shift_to_nearest(bits & 0x7fffffffu, 16);
    return {static_cast<std::uint16_t>((bits >> 16 & 0x8000u) | rounded)};
}

}  // namespace lanework
