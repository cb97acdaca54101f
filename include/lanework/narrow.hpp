// What tensor cores multiply beside the 16-bit formats: bytes of floating point, and floats of which they read 19 bits.
// Arithmetic is done in float: these types hold.
#pragma once

#include <cstdint>
#include <lanework/half.hpp>

namespace lanework {

/// E4M3 of the OCP's 8-bit floating point (CUDA's __nv_fp8_e4m3, PyTorch's float8_e4m3fn): 4 bits of exponent, 3 of
/// fraction; 448 is the largest, there is no infinity, and all bits but the sign are set in a NaN.
struct float8_e4m3 {
    std::uint8_t bits = 0;
    friend constexpr bool operator==(float8_e4m3 a, float8_e4m3 b) { return a.bits == b.bits; }
    friend constexpr bool operator!=(float8_e4m3 a, float8_e4m3 b) { return a.bits != b.bits; }
};

/// A float that takes part in products as TF32: 8 bits of exponent and the leading 10 of its fraction. What it holds
/// beyond them may be rounded or cut off before it is multiplied.
struct tfloat32 {
    float value = 0;
};

/// The same number: every float8_e4m3 is a float.
[[gnu::always_inline]] constexpr float to_float(float8_e4m3 x) {
    const std::uint32_t sign = (x.bits & 0x80u) << 24, magnitude = x.bits & 0x7fu;
    if (magnitude == 0x7fu) return __builtin_bit_cast(float, half_bits::kFloatNan);
    if (magnitude < 8) {  // subnormal, or zero: a whole number of 2^-9
        const float value = static_cast<float>(magnitude) * 0x1p-9F;
        return sign ? -value : value;
    }
    return __builtin_bit_cast(float, sign | ((magnitude << 20) + ((127u - 7u) << 23)));
}
/// All of its bits.
[[gnu::always_inline]] constexpr float to_float(tfloat32 x) { return x.value; }

/// To the nearest, ties to even; beyond 448, infinity too, to 448, as CUDA's conversion does.
[[gnu::always_inline]] constexpr float8_e4m3 to_float8_e4m3(float value) {
    const auto bits = __builtin_bit_cast(std::uint32_t, value);
    const std::uint32_t sign = bits >> 24 & 0x80u, magnitude = bits & 0x7fffffffu;
    std::uint32_t rounded = 0;
    if (magnitude > 0x7f800000u) return {0x7f};
    if (magnitude >= 0x43e00000u)  // 448
        rounded = 0x7eu;
    else if (magnitude >= 0x3c800000u)  // 2^-6, the smallest that is normal; a carry goes into the exponent
        rounded = half_bits::shift_to_nearest(magnitude - ((127u - 7u) << 23), 20);
    else if (magnitude > 0x3a800000u)  // 2^-10, which lies half-way to zero and is rounded to it
        rounded = half_bits::shift_to_nearest((magnitude & 0x7fffffu) | 0x800000u, 141u - (magnitude >> 23));
    return {static_cast<std::uint8_t>(sign | rounded)};
}

/// To the nearest of 10 bits of fraction, ties to even: products of such numbers are exact in float.
[[gnu::always_inline]] constexpr tfloat32 to_tfloat32(float value) {
    const auto bits = __builtin_bit_cast(std::uint32_t, value);
    if ((bits & 0x7fffffffu) >= 0x7f800000u) return {value};
    return {
        __builtin_bit_cast(float, (bits & 0x80000000u) | half_bits::shift_to_nearest(bits & 0x7fffffffu, 13) << 13)};
}

}  // namespace lanework
