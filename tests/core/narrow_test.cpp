// float8_e4m3 and tfloat32: every byte there and back, and what is rounded.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <lanework/narrow.hpp>
#include <limits>

namespace lanework {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Float8, IsTheNumberThatItsBitsSay) {
    for (unsigned bits = 0; bits < 256; ++bits) {
        const unsigned exponent = bits >> 3 & 15, fraction = bits & 7;
        const float found = to_float(float8_e4m3{static_cast<std::uint8_t>(bits)});
        if (exponent == 15 && fraction == 7) {
            EXPECT_TRUE(std::isnan(found)) << bits;
            continue;
        }
        const double magnitude =
            exponent == 0 ? std::ldexp(fraction, -9) : std::ldexp(8 + fraction, static_cast<int>(exponent) - 10);
        EXPECT_EQ(static_cast<double>(found), bits & 0x80 ? -magnitude : magnitude) << bits;
        EXPECT_EQ(to_float8_e4m3(found).bits, bits);
        EXPECT_EQ(std::signbit(found), (bits & 0x80) != 0) << bits;
    }
}

TEST(Float8, IsTheNearestNumberAndOfTwoTheEvenOne) {
    // Between each number and the next one: a little before the middle, the middle, and a little behind it.
    for (std::uint8_t bits = 0; bits < 0x7e; ++bits) {
        const std::uint8_t next = bits + 1;
        const float below = to_float(float8_e4m3{bits}), above = to_float(float8_e4m3{next});
        const float middle = (below + above) / 2;
        EXPECT_EQ(to_float8_e4m3(std::nextafter(middle, 0.0F)).bits, bits);
        EXPECT_EQ(to_float8_e4m3(middle).bits, bits % 2 == 0 ? bits : next);
        EXPECT_EQ(to_float8_e4m3(std::nextafter(middle, kInfinity)).bits, next);
        EXPECT_EQ(to_float8_e4m3(-std::nextafter(middle, kInfinity)).bits, next | 0x80);
    }
}

TEST(Float8, KeepsWhatIsTooLargeAtTheLargest) {
    for (const float large : {448.0F, 449.0F, 464.0F, 1e9F, kInfinity}) {
        EXPECT_EQ(to_float8_e4m3(large).bits, 0x7e) << large;
        EXPECT_EQ(to_float8_e4m3(-large).bits, 0xfe) << large;
    }
    EXPECT_TRUE(std::isnan(to_float(to_float8_e4m3(std::numeric_limits<float>::quiet_NaN()))));
}

TEST(TensorFloat, HasTenBitsOfFractionAndTheNearestOfThem) {
    EXPECT_EQ(to_float(to_tfloat32(1 + 0x1p-10F)), 1 + 0x1p-10F);
    EXPECT_EQ(to_float(to_tfloat32(1 + 0x1p-11F)), 1.0F);  // half-way: even
    EXPECT_EQ(to_float(to_tfloat32(1 + 0x1.8p-10F)), 1 + 0x1p-9F);
    EXPECT_EQ(to_float(to_tfloat32(-1 - 0x1.2p-11F)), -1 - 0x1p-10F);
    EXPECT_EQ(to_float(to_tfloat32(kInfinity)), kInfinity);
    EXPECT_TRUE(std::isnan(to_float(to_tfloat32(std::numeric_limits<float>::quiet_NaN()))));
}

}  // namespace
}  // namespace lanework
