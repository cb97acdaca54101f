// Figures, statistics and inputs.
#include "src/core/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <lanework/measurement.hpp>
#include <set>

#include "src/core/fill.hpp"

namespace lanework {
namespace {

TEST(FormatSeconds, ChoosesTheUnitAndThreeDigits) {
    EXPECT_EQ(format_seconds(0), "0 s");
    EXPECT_EQ(format_seconds(1.234e-9), "1.23 ns");
    EXPECT_EQ(format_seconds(12.34e-6), "12.3 µs");
    EXPECT_EQ(format_seconds(0.1234), "123 ms");
    EXPECT_EQ(format_seconds(0.99999), "1.00 s");
    EXPECT_EQ(format_seconds(999.96e-6), "1.00 ms");
    EXPECT_EQ(format_seconds(123.4), "123 s");
}

TEST(FormatBytes, CountsInPowersOfTwo) {
    EXPECT_EQ(format_bytes(1023), "1023 B");
    EXPECT_EQ(format_bytes(1536), "1.50 KiB");
    EXPECT_EQ(format_bytes(std::uint64_t{141} << 30), "141 GiB");
}

TEST(FormatRates, CountInPowersOfTen) {
    EXPECT_EQ(format_bandwidth(4.31e12), "4.31 TB/s");
    EXPECT_EQ(format_flops(51.2e12), "51.2 TFLOP/s");
    EXPECT_EQ(format_rate(1.56e9), "1.56 G/s");
    EXPECT_EQ(format_percent(0.9312), "93.1%");
}

TEST(Summarize, InterpolatesBetweenOrderStatistics) {
    const double samples[] = {4, 1, 3, 2};
    const Summary summary = summarize(samples);
    EXPECT_EQ(summary.count, 4U);
    EXPECT_DOUBLE_EQ(summary.minimum, 1);
    EXPECT_DOUBLE_EQ(summary.first_quartile, 1.75);
    EXPECT_DOUBLE_EQ(summary.median, 2.5);
    EXPECT_DOUBLE_EQ(summary.third_quartile, 3.25);
    EXPECT_DOUBLE_EQ(summary.maximum, 4);
}

TEST(Summarize, HandlesOneSampleAndNone) {
    const double one[] = {7};
    EXPECT_DOUBLE_EQ(summarize(one).median, 7);
    EXPECT_EQ(summarize({}).count, 0U);
}

TEST(FillUniform, DependsOnTheSeedAlone) {
    std::int32_t a[64];
    std::int32_t b[64];
    fill_uniform(a, 64, 1);
    fill_uniform(b, 64, 1);
    EXPECT_TRUE(std::equal(a, a + 64, b));
    fill_uniform(b, 64, 2);
    EXPECT_FALSE(std::equal(a, a + 64, b));
    EXPECT_EQ(std::set<std::int32_t>(a, a + 64).size(), 64U);
}

TEST(FillUniform, KeepsFloatsInTheirRangeAndSpreadsThem) {
    float values[1000];
    fill_uniform(values, 1000, 3);
    double sum = 0;
    for (const float value : values) {
        EXPECT_GE(value, -1.0F);
        EXPECT_LT(value, 1.0F);
        sum += value;
    }
    EXPECT_LT(std::abs(sum / 1000), 0.1);
}

}  // namespace
}  // namespace lanework
