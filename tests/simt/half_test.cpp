// Half precision, exhaustively: every value of both formats, every point where rounding changes its mind, and
// arithmetic against arithmetic in double.
#define __CUDACC__ 1  // the device's language, too
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace {

/// What is to be known about a format to check it from first principles.
struct Half {
    using One = __half;
    static constexpr int kFraction = 10, kBias = 15;
    static One of(unsigned bits) { return __ushort_as_half(static_cast<unsigned short>(bits)); }
    static unsigned bits(One x) { return __half_as_ushort(x); }
    static One round(float x) { return __float2half_rn(x); }
    static One down(float x) { return __float2half_rd(x); }
    static One up(float x) { return __float2half_ru(x); }
    static One to_zero(float x) { return __float2half_rz(x); }
    static One round(double x) { return __double2half(x); }
    static float widen(One x) { return __half2float(x); }
};
struct Brain {
    using One = __nv_bfloat16;
    static constexpr int kFraction = 7, kBias = 127;
    static One of(unsigned bits) { return __ushort_as_bfloat16(static_cast<unsigned short>(bits)); }
    static unsigned bits(One x) { return __bfloat16_as_ushort(x); }
    static One round(float x) { return __float2bfloat16_rn(x); }
    static One down(float x) { return __float2bfloat16_rd(x); }
    static One up(float x) { return __float2bfloat16_ru(x); }
    static One to_zero(float x) { return __float2bfloat16_rz(x); }
    static One round(double x) { return __double2bfloat16(x); }
    static float widen(One x) { return __bfloat162float(x); }
};

template <class Format>
unsigned infinity() {
    return 0x7fffu >> Format::kFraction << Format::kFraction;
}

/// The value of the bits by the definition of the format.
template <class Format>
double value_of(unsigned bits) {
    const unsigned exponent = (bits & 0x7fff) >> Format::kFraction, ones = infinity<Format>() >> Format::kFraction;
    const double fraction = std::ldexp(bits & ((1u << Format::kFraction) - 1), -Format::kFraction);
    const double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == ones) return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * HUGE_VAL;
    const int scale = exponent == 0 ? 1 - Format::kBias : static_cast<int>(exponent) - Format::kBias;
    return sign * std::ldexp(exponent == 0 ? fraction : 1 + fraction, scale);
}

/// The bits of the number of the format that is nearest to x, ties to even, by looking at its neighbours.
template <class Format>
unsigned nearest(double x) {
    const unsigned sign = std::signbit(x) ? 0x8000 : 0;
    const double magnitude = std::abs(x);
    unsigned low = 0, high = infinity<Format>();
    while (high - low > 1) {  // low ≤ |x| < high
        const unsigned middle = (low + high) / 2;
        (value_of<Format>(middle) <= magnitude ? low : high) = middle;
    }
    // Beyond the largest number the next would be one more step away.
    const double below = value_of<Format>(low), step = below - value_of<Format>(low == 0 ? 0 : low - 1);
    const double above = high == infinity<Format>() ? below + step : value_of<Format>(high);
    const bool up = magnitude - below > above - magnitude || (magnitude - below == above - magnitude && low % 2 == 1);
    return sign | (up ? high : low);
}

template <class Format>
class SixteenBits : public ::testing::Test {};
using Formats = ::testing::Types<Half, Brain>;
TYPED_TEST_SUITE(SixteenBits, Formats);

TYPED_TEST(SixteenBits, HaveTheValueThatTheFormatDefines) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const double value = value_of<TypeParam>(bits), found = TypeParam::widen(TypeParam::of(bits));
        const bool same = found == value && std::signbit(found) == std::signbit(value);
        ASSERT_TRUE(std::isnan(value) ? std::isnan(found) : same) << std::hex << bits;
    }
}

TYPED_TEST(SixteenBits, ComeBackFromFloatAsTheyWere) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const bool nan = (bits & 0x7fff) > infinity<TypeParam>();
        ASSERT_EQ(TypeParam::bits(TypeParam::round(TypeParam::widen(TypeParam::of(bits)))), nan ? 0x7fffu : bits);
    }
}

// Rounding can only change at the points half-way between neighbours: there, and just beside them, it is checked for
// every pair of neighbours. In between, a result that were wrong would have to be wrong at one of these, too.
TYPED_TEST(SixteenBits, RoundToTheNearestAndTiesToEvenBetweenAllNeighbours) {
    for (unsigned low = 0; low + 1 < infinity<TypeParam>(); ++low) {
        const double below = value_of<TypeParam>(low), above = value_of<TypeParam>(low + 1);
        const auto tie = static_cast<float>((below + above) / 2);
        ASSERT_EQ(static_cast<double>(tie), (below + above) / 2);
        for (const unsigned sign : {0u, 0x8000u}) {
            const float side = sign ? -1.0F : 1.0F;
            ASSERT_EQ(TypeParam::bits(TypeParam::round(side * tie)), sign | (low + low % 2)) << low;
            ASSERT_EQ(TypeParam::bits(TypeParam::round(side * std::nextafter(tie, 0.0F))), sign | low);
            ASSERT_EQ(TypeParam::bits(TypeParam::round(side * std::nextafter(tie, HUGE_VALF))), sign | (low + 1));
            const double odd = side * std::nextafter(static_cast<double>(tie), HUGE_VAL);
            ASSERT_EQ(TypeParam::bits(TypeParam::round(odd)), sign | (low + 1)) << "of a double";
        }
    }
}

TYPED_TEST(SixteenBits, RoundRandomFloatsToTheNearest) {
    std::mt19937 random(7);
    for (int i = 0; i < 200'000; ++i) {
        const unsigned word = random();
        float x = 0;
        static_assert(sizeof x == sizeof word);
        __builtin_memcpy(&x, &word, sizeof x);
        if (std::isnan(x)) continue;
        ASSERT_EQ(TypeParam::bits(TypeParam::round(x)), nearest<TypeParam>(x)) << x;
    }
}

TYPED_TEST(SixteenBits, OverflowToInfinityFromHalfAStepBeyondTheLargest) {
    const unsigned largest = infinity<TypeParam>() - 1;
    const double step = value_of<TypeParam>(largest) - value_of<TypeParam>(largest - 1);
    const auto edge = static_cast<float>(value_of<TypeParam>(largest) + step / 2);
    EXPECT_EQ(TypeParam::bits(TypeParam::round(edge)), infinity<TypeParam>());
    EXPECT_EQ(TypeParam::bits(TypeParam::round(std::nextafter(edge, 0.0F))), largest);
    EXPECT_EQ(TypeParam::bits(TypeParam::to_zero(edge)), largest);
    EXPECT_EQ(TypeParam::bits(TypeParam::round(-HUGE_VALF)), 0x8000u | infinity<TypeParam>());
    EXPECT_EQ(TypeParam::bits(TypeParam::round(std::numeric_limits<float>::quiet_NaN())), 0x7fffu);
}

TYPED_TEST(SixteenBits, RoundInADirectionToTheNeighbourOnThatSide) {
    for (unsigned low = 0; low + 1 < infinity<TypeParam>(); ++low) {
        const auto below = static_cast<float>(value_of<TypeParam>(low));
        const auto above = static_cast<float>(value_of<TypeParam>(low + 1));
        for (const float x : {std::nextafter(below, above), std::nextafter(above, below)}) {
            if (x == below || x == above) continue;
            ASSERT_EQ(TypeParam::bits(TypeParam::down(x)), low) << x;
            ASSERT_EQ(TypeParam::bits(TypeParam::up(x)), low + 1) << x;
            ASSERT_EQ(TypeParam::bits(TypeParam::to_zero(x)), low) << x;
            ASSERT_EQ(TypeParam::bits(TypeParam::down(-x)), 0x8000u | (low + 1)) << x;
            ASSERT_EQ(TypeParam::bits(TypeParam::up(-x)), 0x8000u | low) << x;
        }
        ASSERT_EQ(TypeParam::bits(TypeParam::down(below)), low);
        ASSERT_EQ(TypeParam::bits(TypeParam::up(below)), low);
    }
}

/// Random finite numbers of the format.
template <class Format>
class Drawn {
public:
    typename Format::One operator()() {
        for (;;) {
            const unsigned bits = random_() & 0xffff;
            if ((bits & 0x7fff) < infinity<Format>()) return Format::of(bits);
        }
    }

private:
    std::mt19937 random_{11};
};

// Products are exact in double; so are sums of numbers that are not too far apart.
TYPED_TEST(SixteenBits, ComputeAsIfRoundedOnce) {
    Drawn<TypeParam> draw;
    for (int i = 0; i < 200'000; ++i) {
        const auto a = draw(), b = draw();
        const double x = TypeParam::widen(a), y = TypeParam::widen(b);
        ASSERT_EQ(TypeParam::bits(a * b), nearest<TypeParam>(x * y)) << x << " * " << y;
        ASSERT_EQ(TypeParam::bits(__hadd(a, b)), TypeParam::bits(a + b));
        if (std::abs(x) < 1e4 && std::abs(y) < 1e4 && std::abs(x) > 1e-4 && std::abs(y) > 1e-4) {
            ASSERT_EQ(TypeParam::bits(a + b), nearest<TypeParam>(x + y)) << x << " + " << y;
            ASSERT_EQ(TypeParam::bits(a - b), nearest<TypeParam>(x - y)) << x << " - " << y;
        }
    }
}

TYPED_TEST(SixteenBits, FuseWithOneRounding) {
    const auto number = [](float x) { return TypeParam::round(x); };
    const float step = std::ldexp(1.0F, -TypeParam::kFraction);  // from 1 to the next number
    EXPECT_EQ(TypeParam::widen(__hfma(number(step / 2), number(1.0F), number(1.0F))), 1.0F);  // a tie, to even
    EXPECT_EQ(TypeParam::widen(__hfma(number(step / 2), number(1.5F), number(1.0F))), 1.0F + step);
    // (1 + step)² = 1 + 2·step + step²: rounded on the way, step² would be lost before it is all that is left.
    const auto next = number(1.0F + step);
    EXPECT_EQ(TypeParam::widen(__hfma(next, next, number(-1.0F - 2 * step))), step * step);
}

TEST(Bfloat16, AFusedOperationSeesWhatADoubleWouldLose) {
    // 7·37/256 = 1 + 3/256 is half-way between two numbers; what is added is too small for a double beside it.
    const auto number = [](float x) { return __float2bfloat16(x); };
    const auto seven = number(7.0F), rest = number(37.0F / 256.0F), tiny = number(0x1p-120F);
    EXPECT_EQ(__bfloat162float(__hfma(seven, rest, number(0.0F))), 1.0F + 4.0F / 256.0F);
    EXPECT_EQ(__bfloat162float(__hfma(seven, rest, tiny)), 1.0F + 4.0F / 256.0F);
    EXPECT_EQ(__bfloat162float(__hfma(seven, rest, -tiny)), 1.0F + 2.0F / 256.0F);
}

TYPED_TEST(SixteenBits, CompareAsCudaDoes) {
    const auto one = TypeParam::round(1.0F), two = TypeParam::round(2.0F), nan = TypeParam::of(0x7fff);
    const auto zero = TypeParam::of(0), negative_zero = TypeParam::of(0x8000);
    EXPECT_TRUE(one < two && two > one && one <= one && one == one && one != two && zero == negative_zero);
    EXPECT_FALSE(nan == nan || nan != nan || nan < one || nan > one);
    EXPECT_TRUE(__heq(one, one) && __hneu(nan, nan) && __hltu(nan, one) && !__hne(nan, one));
    EXPECT_TRUE(__hisnan(nan) && !__hisnan(one) && __hisinf(TypeParam::of(infinity<TypeParam>())) == 1);
    EXPECT_EQ(TypeParam::bits(__hmax(one, nan)), TypeParam::bits(one));
    EXPECT_EQ(TypeParam::bits(__hmin(nan, one)), TypeParam::bits(one));
    EXPECT_EQ(TypeParam::bits(__hmax_nan(one, nan)), 0x7fffu);
    EXPECT_EQ(TypeParam::bits(__hmax(negative_zero, zero)), 0u);
    EXPECT_EQ(TypeParam::bits(__hmin(zero, negative_zero)), 0x8000u);
}

TEST(Half, BecomesAnIntegerAsCudaSaturates) {
    EXPECT_EQ(__half2int_rn(__float2half(2.5F)), 2);
    EXPECT_EQ(__half2int_rn(__float2half(3.5F)), 4);
    EXPECT_EQ(__half2int_ru(__float2half(-2.5F)), -2);
    EXPECT_EQ(__half2int_rd(__float2half(-2.5F)), -3);
    EXPECT_EQ(__half2int_rz(__float2half(-2.5F)), -2);
    EXPECT_EQ(__half2ushort_rz(__float2half(-1.0F)), 0);
    EXPECT_EQ(__half2short_rz(__float2half(65504.0F)), 32767);
    EXPECT_EQ(static_cast<int>(__half(HUGE_VALF)), std::numeric_limits<int>::max());
}

TEST(Half, ComesFromIntegersRoundedOnce) {
    EXPECT_EQ(__half2float(__int2half_rn(2049)), 2048.0F);  // a tie, to even
    EXPECT_EQ(__half2float(__int2half_rn(2051)), 2052.0F);
    EXPECT_EQ(__half_as_ushort(__int2half_rn(65520)), 0x7c00);
    // 2^60 + 2^52 is a tie of bfloat16; the last bit of the integer is beyond a double's, and still breaks it.
    const long long tie = (1LL << 60) + (1LL << 52);
    EXPECT_EQ(__bfloat162float(__ll2bfloat16_rn(tie)), 0x1p60F);
    EXPECT_EQ(__bfloat162float(__ll2bfloat16_rn(tie + 1)), 0x1p60F + 0x1p53F);
    EXPECT_EQ(__bfloat162float(__ll2bfloat16_rn(-tie - 1)), -0x1p60F - 0x1p53F);
}

TEST(HalfPair, HoldsTwoNumbersTheFirstInTheLowHalf) {
    const __half2 pair = __floats2half2_rn(1.0F, -2.0F);
    unsigned word = 0;
    static_assert(sizeof pair == sizeof word && alignof(__half2) == sizeof word);
    __builtin_memcpy(&word, &pair, sizeof word);
    EXPECT_EQ(word, 0xc0003c00u);
    EXPECT_EQ(__low2float(pair), 1.0F);
    EXPECT_EQ(__half22float2(__hfma2(pair, pair, pair)).y, 2.0F);
    EXPECT_EQ(__half2float(__high2half(__habs2(pair))), 2.0F);
    EXPECT_EQ(__hlt2_mask(pair, __float2half2_rn(0.0F)), 0xffff0000u);
    EXPECT_TRUE(__hble2(pair, __float2half2_rn(1.0F)));
}

TEST(HalfAtomic, AddsAndReturnsTheOldValue) {
    __half sum = __float2half(1.5F);
    EXPECT_EQ(__half2float(atomicAdd(&sum, __float2half(2.0F))), 1.5F);
    EXPECT_EQ(__half2float(sum), 3.5F);
    __nv_bfloat162 pair = __floats2bfloat162_rn(1.0F, 2.0F);
    EXPECT_EQ(__bfloat1622float2(atomicAdd(&pair, pair)).y, 2.0F);
    EXPECT_EQ(__bfloat1622float2(pair).y, 4.0F);
}

}  // namespace
