// Numbers of 8 bits, exhaustively: what they are worth, what every half and bfloat16 becomes, and where the rounding of
// a double changes its mind; against the nearest of all 256, found by looking at each.
#define __CUDACC__ 1  // the device's language, too
#include <cuda_fp8.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace {

/// What is to be known about a format to check it from first principles.
struct E4M3 {
    using One = __nv_fp8_e4m3;
    static constexpr auto kFormat = __NV_E4M3;
    static constexpr int kFraction = 3, kBias = 7, kLargest = 0x7e;
    static constexpr unsigned char kOverflow = 0x7f;  // NaN
};
struct E5M2 {
    using One = __nv_fp8_e5m2;
    static constexpr auto kFormat = __NV_E5M2;
    static constexpr int kFraction = 2, kBias = 15, kLargest = 0x7b;
    static constexpr unsigned char kOverflow = 0x7c;  // infinity
};

template <class Format>
double worth(int bits) {
    const int field = bits >> Format::kFraction, mantissa = bits & ((1 << Format::kFraction) - 1);
    const int hidden = field == 0 ? 0 : 1 << Format::kFraction;
    return std::ldexp(mantissa + hidden, (field == 0 ? 1 : field) - Format::kBias - Format::kFraction);
}

/// The nearest of all; of two that are as near the even one. One step behind the largest is what overflows.
template <class Format>
unsigned char nearest(double x, bool finite) {
    int best = 0;
    for (int bits = 1; bits <= Format::kLargest + 1; ++bits) {
        const double step = worth<Format>(Format::kLargest) - worth<Format>(Format::kLargest - 1);
        const auto value = [&](int b) {
            return b > Format::kLargest ? worth<Format>(Format::kLargest) + step : worth<Format>(b);
        };
        const double now = std::fabs(std::fabs(x) - value(bits)), before = std::fabs(std::fabs(x) - value(best));
        if (now < before || (now == before && bits % 2 == 0)) best = bits;
    }
    // So far beyond that a double does not tell its distances apart.
    if (std::fabs(x) > 2 * worth<Format>(Format::kLargest)) best = Format::kLargest + 1;
    const int sign = std::signbit(x) ? 0x80 : 0;
    if (best > Format::kLargest)
        return static_cast<unsigned char>(sign | (finite ? Format::kLargest : int{Format::kOverflow}));
    return static_cast<unsigned char>(sign | best);
}

template <class Format>
class Float8 : public testing::Test {};
using Formats = testing::Types<E4M3, E5M2>;
TYPED_TEST_SUITE(Float8, Formats);

TYPED_TEST(Float8, EveryNumberHasItsWorthAndComesBack) {
    using One = typename TypeParam::One;
    for (int bits = 0; bits < 256; ++bits) {
        One x;
        x.__x = static_cast<unsigned char>(bits);
        const double magnitude = (bits & 0x7f) <= TypeParam::kLargest ? worth<TypeParam>(bits & 0x7f)
                                 : TypeParam::kOverflow == 0x7c && (bits & 0x7f) == 0x7c
                                     ? std::numeric_limits<double>::infinity()
                                     : std::numeric_limits<double>::quiet_NaN();
        const double expected = bits & 0x80 ? -magnitude : magnitude;
        if (std::isnan(expected)) {
            EXPECT_TRUE(std::isnan(static_cast<float>(x))) << bits;
            EXPECT_EQ(static_cast<int>(x), 0) << bits;
            continue;
        }
        EXPECT_EQ(static_cast<double>(x), expected) << bits;
        EXPECT_EQ(static_cast<float>(__half(__nv_cvt_fp8_to_halfraw(x.__x, TypeParam::kFormat))), expected) << bits;
        if (std::isinf(expected)) continue;
        EXPECT_EQ(One(expected).__x, bits);
        EXPECT_EQ(static_cast<int>(x), static_cast<int>(expected)) << bits;
        EXPECT_EQ(static_cast<signed char>(x), static_cast<signed char>(std::fmin(127, std::fmax(-128, expected))));
    }
}

TYPED_TEST(Float8, NumbersOf16BitsBecomeTheNearest) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const __half_raw half{static_cast<unsigned short>(bits)};
        const __nv_bfloat16_raw brain{static_cast<unsigned short>(bits)};
        const float x = __half(half), y = __nv_bfloat16(brain);
        for (const auto saturate : {__NV_NOSAT, __NV_SATFINITE}) {
            const bool finite = saturate == __NV_SATFINITE;
            if (!std::isnan(x)) {
                ASSERT_EQ(__nv_cvt_halfraw_to_fp8(half, saturate, TypeParam::kFormat), nearest<TypeParam>(x, finite))
                    << x;
            }
            if (!std::isnan(y)) {
                ASSERT_EQ(__nv_cvt_bfloat16raw_to_fp8(brain, saturate, TypeParam::kFormat),
                          nearest<TypeParam>(y, finite))
                    << y;
            }
        }
    }
}

TYPED_TEST(Float8, ADoubleIsRoundedOnce) {
    for (int bits = 0; bits < TypeParam::kLargest; ++bits) {
        const double middle = (worth<TypeParam>(bits) + worth<TypeParam>(bits + 1)) / 2;
        for (const double x : {std::nextafter(middle, 0.0), middle, std::nextafter(middle, 1e9)})
            EXPECT_EQ(typename TypeParam::One(x).__x, nearest<TypeParam>(x, true)) << x;
    }
}

// A double's keeps its sign and the first bits behind it, as CUDA's functions do; a float's, and what is narrower, has
// neither.
TYPED_TEST(Float8, NaNsKeepWhatCudaKeeps) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const auto saturate : {__NV_NOSAT, __NV_SATFINITE}) {
        EXPECT_EQ(__nv_cvt_float_to_fp8(nan, saturate, TypeParam::kFormat), 0x7f);
        EXPECT_EQ(__nv_cvt_float_to_fp8(-nan, saturate, TypeParam::kFormat), 0x7f);
        EXPECT_EQ(__nv_cvt_double_to_fp8(-double{nan}, saturate, TypeParam::kFormat),
                  TypeParam::kFraction == 3 ? 0xff : 0xfe);
        EXPECT_EQ(__nv_cvt_halfraw_to_fp8({0xfe00}, saturate, TypeParam::kFormat), 0x7f);
        EXPECT_EQ(__nv_cvt_bfloat16raw_to_fp8({0x7fc0}, saturate, TypeParam::kFormat), 0x7f);
    }
}

TYPED_TEST(Float8, PairsAndFoursLieFromTheLowestByte) {
    const float4 four = make_float4(1.0f, -2.0f, 0.5f, 1e9f);
    const auto one = [](float x) { return unsigned{typename TypeParam::One(x).__x}; };
    using Four = std::conditional_t<std::is_same_v<TypeParam, E4M3>, __nv_fp8x4_e4m3, __nv_fp8x4_e5m2>;
    const Four all(four);
    EXPECT_EQ(all.__x, one(1.0f) | one(-2.0f) << 8 | one(0.5f) << 16 | one(1e9f) << 24);
    const auto back = static_cast<float4>(all);
    EXPECT_EQ(back.y, -2.0f);
    EXPECT_EQ(back.w, static_cast<float>(worth<TypeParam>(TypeParam::kLargest)));
    EXPECT_EQ(__nv_cvt_float2_to_fp8x2(make_float2(1.0f, -2.0f), __NV_SATFINITE, TypeParam::kFormat),
              one(1.0f) | one(-2.0f) << 8);
}

}  // namespace
