// CUDA's 8-bit floating-point numbers for a host compiler: e4m3 (a sign, 4 bits of exponent, 3 of mantissa; no
// infinity, one NaN) and e5m2 (laid out as the upper half of a binary16). They are for storage: nothing is computed in
// them. What becomes one is rounded once, to the nearest, ties to even.
#pragma once

#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace lanework_simt {
namespace eighths {

/// A format: how many bits its mantissa has, the exponent of its least normal number, and the largest finite number's
/// bits. What is larger has `overflow`'s.
struct E4M3 {
    static constexpr int kMantissa = 3, kLeast = -6;
    static constexpr unsigned char kLargest = 0x7e, kOverflow = 0x7f, kNan = 0x7f;
    static constexpr bool kHasInfinity = false;
};
struct E5M2 {
    static constexpr int kMantissa = 2, kLeast = -14;
    static constexpr unsigned char kLargest = 0x7b, kOverflow = 0x7c, kNan = 0x7e;
    static constexpr bool kHasInfinity = true;
};

/// The bits of the nearest number; beyond the largest finite one it, if `finite`, else infinity or NaN.
template <class Format>
inline unsigned char rounded(double x, bool finite) {
    const auto bits = reinterpret_bits<unsigned long long>(x);
    const auto sign = (unsigned char)(bits >> 63 << 7);
    const unsigned long long magnitude = bits & ~(1ull << 63);
    constexpr unsigned kHidden = 1u << Format::kMantissa;
    if (magnitude > 0x7ffull << 52)
        return (unsigned char)(sign | Format::kNan | (bits >> (52 - Format::kMantissa) & (kHidden - 1)));
    // By whole numbers, since a program may be compiled with -ffast-math.
    constexpr int kHuge = 16, kMostDropped = 53;  // beyond every format, and below half of every step
    const int own = int(magnitude >> 52) - 1023, exponent = own < Format::kLeast ? Format::kLeast : own;
    const int dropped = 52 - Format::kMantissa + exponent - own;
    unsigned long long code = own < kHuge ? 0 : Format::kLargest + 1ull;
    if (own < kHuge && dropped <= kMostDropped) {
        const unsigned long long mantissa = (magnitude & ((1ull << 52) - 1)) | 1ull << 52;
        const unsigned long long rest = mantissa & ((1ull << dropped) - 1), half = 1ull << (dropped - 1);
        unsigned long long steps = mantissa >> dropped;
        steps += rest > half || (rest == half && steps % 2 == 1);
        code = steps + ((unsigned long long)(exponent - Format::kLeast) << Format::kMantissa);
    }
    if (code > Format::kLargest) code = finite ? Format::kLargest : Format::kOverflow;
    return (unsigned char)(sign | (unsigned char)(code));
}

/// A float as a double, NaN without its sign and payload.
inline double as_double(float x) {
    const bool nan = (reinterpret_bits<unsigned>(x) & 0x7fffffffu) > 0x7f800000u;
    return double(nan ? reinterpret_bits<float>(0x7fffffffu) : x);
}

template <class Format>
inline float widened(unsigned char bits) {
    const unsigned magnitude = bits & 0x7f;
    constexpr unsigned kHidden = 1u << Format::kMantissa;
    const unsigned field = magnitude >> Format::kMantissa, mantissa = magnitude & (kHidden - 1);
    float value = 0;
    if (magnitude > Format::kLargest) {
        const bool infinite = Format::kHasInfinity && magnitude == Format::kOverflow;
        if (!infinite) return reinterpret_bits<float>(0x7fffffffu);  // NaN has no sign
        value = reinterpret_bits<float>(0x7f800000u);
    } else {
        const int exponent = Format::kLeast + (field == 0 ? 0 : int(field) - 1) - Format::kMantissa;
        value =
            float(field == 0 ? mantissa : mantissa | kHidden) * reinterpret_bits<float>(unsigned(exponent + 127) << 23);
    }
    return bits & 0x80 ? -value : value;
}

template <class T>
using IfNumber = typename std::enable_if<std::is_arithmetic<T>::value, int>::type;

/// One number. What becomes one does not overflow.
template <class Format>
struct Eighth {
    unsigned char __x;

    Eighth() = default;
    explicit Eighth(double x) : __x(rounded<Format>(x, true)) {}
    explicit Eighth(__half x) : Eighth(float(x)) {}
    explicit Eighth(__nv_bfloat16 x) : Eighth(float(x)) {}
    template <class T, IfNumber<T> = 0>
    explicit Eighth(T x) : Eighth(as_double(float(x))) {}  // whole numbers by way of float, as CUDA has it

    template <class T, IfNumber<T> = 0>
    explicit operator T() const {
        // To whole numbers: towards zero, saturating, NaN as 0.
        return static_cast<T>(__half(widened<Format>(__x)));
    }
    explicit operator float() const { return widened<Format>(__x); }
    explicit operator double() const { return double(widened<Format>(__x)); }
    explicit operator bool() const { return (__x & 0x7f) != 0; }
    explicit operator __half() const { return __half(widened<Format>(__x)); }
    explicit operator __nv_bfloat16() const { return __nv_bfloat16(widened<Format>(__x)); }
};

/// The k-th number of several in a word, the first in its lowest bits.
template <class Format>
inline float widened_at(unsigned bits, unsigned k) {
    return widened<Format>((unsigned char)(bits >> 8 * k));
}
template <class Format>
inline unsigned rounded_at(double x, unsigned k) {
    return unsigned(rounded<Format>(x, true)) << 8 * k;
}

template <class Format>
struct __align__(2) Pair {
    unsigned short __x;

    Pair() = default;
    explicit Pair(double2 pair)
        : __x((unsigned short)(rounded_at<Format>(pair.x, 0) | rounded_at<Format>(pair.y, 1))) {}
    explicit Pair(float2 pair) : Pair(make_double2(as_double(pair.x), as_double(pair.y))) {}
    explicit Pair(__half2 pair) : Pair(make_float2(pair.x, pair.y)) {}
    explicit Pair(__nv_bfloat162 pair) : Pair(make_float2(pair.x, pair.y)) {}

    explicit operator float2() const { return make_float2(widened_at<Format>(__x, 0), widened_at<Format>(__x, 1)); }
    explicit operator __half2() const { return __floats2half2_rn(float2(*this).x, float2(*this).y); }
};

template <class Format>
struct __align__(4) Four {
    unsigned int __x;

    Four() = default;
    explicit Four(double4 four)
        : __x(rounded_at<Format>(four.x, 0) | rounded_at<Format>(four.y, 1) | rounded_at<Format>(four.z, 2) |
              rounded_at<Format>(four.w, 3)) {}
    explicit Four(float4 four)
        : Four(make_double4(as_double(four.x), as_double(four.y), as_double(four.z), as_double(four.w))) {}
    explicit Four(__half2 low, __half2 high) : Four(make_float4(low.x, low.y, high.x, high.y)) {}
    explicit Four(__nv_bfloat162 low, __nv_bfloat162 high) : Four(make_float4(low.x, low.y, high.x, high.y)) {}

    explicit operator float4() const {
        return make_float4(widened_at<Format>(__x, 0), widened_at<Format>(__x, 1), widened_at<Format>(__x, 2),
                           widened_at<Format>(__x, 3));
    }
};

}  // namespace eighths
}  // namespace lanework_simt
