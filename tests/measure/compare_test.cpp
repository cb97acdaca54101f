// Equality of elements: exact, within a tolerance, and for values that are no numbers.
#include "src/measure/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace lanework {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::size_t differing(float right, float found, const Tolerance& tolerance) {
    Differences differences;
    compare(DType::float32, &right, &found, 0, 1, tolerance, nullptr, differences);
    return differences.count;
}

TEST(Compare, AcceptsWhatLiesWithinTheTolerance) {
    EXPECT_EQ(differing(100, 100.5, {.absolute = 0.5}), 0U);
    EXPECT_EQ(differing(100, 100.75, {.absolute = 0.5}), 1U);
    EXPECT_EQ(differing(100, 101, {.relative = 0.01}), 0U);
    EXPECT_EQ(differing(100, 102, {.relative = 0.01}), 1U);
}

TEST(Compare, ReadsHalfPrecisionAsNumbers) {
    const float16 one = to_float16(1), beside{static_cast<std::uint16_t>(one.bits + 1)}, nan{0x7fff}, other_nan{0x7e01};
    Differences differences;
    compare(DType::float16, &one, &beside, 0, 1, {.relative = 0x1p-10}, nullptr, differences);
    compare(DType::float16, &nan, &other_nan, 0, 1, {}, nullptr, differences);
    EXPECT_EQ(differences.count, 0U);
    compare(DType::float16, &one, &beside, 0, 1, {.relative = 0x1p-11}, nullptr, differences);
    EXPECT_EQ(differences.found, "1.0009766");
    const bfloat16 two = to_bfloat16(2), three = to_bfloat16(3);
    compare(DType::bfloat16, &two, &three, 0, 1, {.absolute = 0.5}, nullptr, differences);
    EXPECT_EQ(differences.count, 2U);
}

TEST(Compare, WantsEqualBitsWithoutATolerance) {
    EXPECT_EQ(differing(1, std::nextafter(1.0F, 2.0F), {}), 1U);
    EXPECT_EQ(differing(0.0F, -0.0F, {}), 1U);
    EXPECT_EQ(differing(1, 1, {}), 0U);
}

TEST(Compare, TakesNanForNanOnly) {
    EXPECT_EQ(differing(kNan, -kNan, {}), 0U);
    EXPECT_EQ(differing(kNan, 1, {.absolute = 1e9}), 1U);
    EXPECT_EQ(differing(1, kNan, {.absolute = 1e9}), 1U);
}

TEST(Compare, TakesInfinityForTheSameInfinityOnly) {
    EXPECT_EQ(differing(kInfinity, kInfinity, {.relative = 0.1}), 0U);
    EXPECT_EQ(differing(kInfinity, -kInfinity, {.relative = 0.1}), 1U);
    EXPECT_EQ(differing(kInfinity, 1e30F, {.relative = 0.1}), 1U);
    EXPECT_EQ(differing(1, kInfinity, {.absolute = 1e9}), 1U);
}

TEST(Compare, TakesAShareOfEachElementsMagnitude) {
    const float right[] = {0, 0}, found[] = {0.5, 0.5};
    const double magnitudes[] = {100, 10};
    Differences differences;
    compare(DType::float32, right, found, 0, 2, {.of_magnitude = 0.01}, magnitudes, differences);
    EXPECT_EQ(differences.count, 1U);
    EXPECT_EQ(differences.first, 1U);
}

TEST(Compare, SeesTheSignOfZeroWhereItIsDefined) {
    EXPECT_EQ(differing(-0.0F, 0.0F, {.absolute = 1}), 0U);
    EXPECT_EQ(differing(-0.0F, 0.0F, {.absolute = 1, .signed_zero = true}), 1U);
    EXPECT_EQ(differing(-0.0F, -0.0F, {.absolute = 1, .signed_zero = true}), 0U);
    EXPECT_EQ(differing(-0.0F, 0.0F, {}), 1U);
}

TEST(Compare, MeasuresTheLargestErrorOfWhatIsFinite) {
    const float right[] = {4, 1, kInfinity, kNan}, found[] = {4, 1.5, kInfinity, kNan};
    Differences differences;
    compare(DType::float32, right, found, 0, 4, {.absolute = 1}, nullptr, differences);
    EXPECT_EQ(differences.error(), 0.125);
    EXPECT_FALSE(Differences{}.error());
}

TEST(Compare, CountsAcrossChunksAndKeepsTheFirst) {
    const std::uint8_t right[] = {1, 2, 3}, found[] = {1, 9, 8};
    Differences differences;
    compare(DType::uint8, right, found, 10, 3, {}, nullptr, differences);
    compare(DType::uint8, right, found, 20, 3, {}, nullptr, differences);
    EXPECT_EQ(differences.count, 4U);
    EXPECT_EQ(differences.first, 11U);
    EXPECT_EQ(differences.found, "9");
    EXPECT_EQ(differences.right, "2");
}

TEST(Compare, KeepsTheFirstOfManyElementsThoughTheyAreComparedInParts) {
    std::vector<float> right(3 << 20, 1), found = right;
    found[0] = 1.25F;
    right[(2 << 20) + 5] = 64;
    found[(2 << 20) + 5] = 66;
    found.back() = 9;
    Differences differences;
    compare(DType::float32, right.data(), found.data(), 7, right.size(), {.absolute = 0.5}, nullptr, differences);
    EXPECT_EQ(differences.count, 2U);
    EXPECT_EQ(differences.first, std::size_t{(2 << 20) + 5 + 7});
    EXPECT_EQ(differences.found, "66");
    EXPECT_EQ(differences.right, "64");
    EXPECT_EQ(differences.largest_difference, 8);
    EXPECT_EQ(differences.largest_right, 64);
}

TEST(Grouped, SeparatesThousands) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1204), "1 204");
    EXPECT_EQ(grouped(1234567), "1 234 567");
}

}  // namespace
}  // namespace lanework
