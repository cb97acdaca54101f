// Device mathematics that has no single right bit pattern: against identities, inverses and known values.
#define __CUDACC__ 1  // the device's language, too
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void expect_close(double value, double expected, double relative) {
    EXPECT_LE(std::fabs(value - expected), relative * std::fabs(expected)) << value << " is not " << expected;
}

TEST(Math, MinAndMaxMixTypesAsCDoes) {
    EXPECT_EQ(min(-1, 2u), 2u);  // −1 becomes 4294967295
    EXPECT_EQ(max(3ll, -4ll), 3ll);
    EXPECT_EQ(max(1.5f, 2.0), 2.0);
    EXPECT_EQ(min(NAN, 1.0f), 1.0f);
    EXPECT_EQ(max(1.0f, NAN), 1.0f);
    EXPECT_TRUE(std::isnan(max(NAN, NAN)));
    static_assert(std::is_same_v<decltype(min(1, 2u)), unsigned>);
    static_assert(std::is_same_v<decltype(max(1.0f, 2.0)), double>);
}

TEST(Math, HalfTurnsAreExactAtTheirCorners) {
    EXPECT_EQ(sinpi(1.0), 0.0);
    EXPECT_EQ(sinpi(1e15 + 0.5), 1.0);
    EXPECT_EQ(cospi(0.5), 0.0);
    EXPECT_EQ(cospif(-1.0f), -1.0f);
    expect_close(sinpi(1.0 / 6), 0.5, 1e-15);
    float sine = 0, cosine = 0;
    sincospif(2.25f, &sine, &cosine);
    expect_close(sine, M_SQRT1_2, 1e-7);
    expect_close(cosine, M_SQRT1_2, 1e-7);
}

TEST(Math, InverseErrorFunctionsInvert) {
    for (double x = -1.9; x <= 5.5; x += 0.37) expect_close(erfcinv(std::erfc(x)), x, 1e-13);
    for (double x = 1.0; x <= 26.0; x += 1.3) expect_close(erfcinv(std::erfc(x)), x, 1e-14);
    for (double x = 1e-12; x <= 2.5; x *= 3) expect_close(erfinv(std::erf(x)), x, 1e-12);
    EXPECT_EQ(erfinv(1.0), kInfinity);
    EXPECT_EQ(erfcinv(2.0), -kInfinity);
    EXPECT_TRUE(std::isnan(erfinv(1.5)));
    expect_close(normcdfinv(0.975), 1.959963984540054, 1e-14);
}

TEST(Math, TheNormalDistributionKeepsItsTail) {
    expect_close(normcdf(0.0), 0.5, 0);
    expect_close(normcdf(1.959963984540054), 0.975, 1e-15);
    expect_close(normcdf(-10.0), 7.61985302416052607e-24, 1e-15);
    expect_close(normcdf(-35.0), 1.12491070647240624e-268, 2e-15);
}

TEST(Math, ScaledErrorFunctionDecaysAsItsAsymptote) {
    expect_close(erfcx(1.0), std::exp(1.0) * std::erfc(1.0), 1e-15);
    expect_close(erfcx(2.9), std::exp(2.9 * 2.9) * std::erfc(2.9), 1e-14);
    expect_close(erfcx(1e8), 1.0 / (std::sqrt(M_PI) * 1e8), 1e-15);
    EXPECT_EQ(erfcx(-30.0), kInfinity);
}

TEST(Math, BesselFunctionsMatchKnownValues) {
    expect_close(cyl_bessel_i0(1.0), 1.26606587775200833560, 1e-15);
    expect_close(cyl_bessel_i1(-1.0), -0.56515910399248502721, 1e-15);
    EXPECT_TRUE(std::isnan(cyl_bessel_i0(NAN)));
}

TEST(Math, TheFastDivisionLosesItsLargestDivisors) {
    EXPECT_EQ(__fdividef(3.0f, 2.0f), 1.5f);
    EXPECT_EQ(__fdividef(3.0f, 0x1p127f), 0.0f);
    EXPECT_TRUE(std::isnan(__fdividef(INFINITY, 0x1p127f)));
}

TEST(Math, LengthsDoNotOverflowInBetween) {
    expect_close(norm3d(3e200, 4e200, 12e200), 13e200, 1e-15);
    expect_close(rnorm3d(3, 4, 12), 1.0 / 13, 1e-15);
    const float four[] = {1, 1, 1, 1};
    EXPECT_EQ(normf(4, four), 2.0f);
    expect_close(rsqrtf(4.0f), 0.5, 0);
}

TEST(Math, LoadsAndStoresWithHintsAreLoadsAndStores) {
    float values[2] = {1.5f, 0};
    __stcs(&values[1], 2);
    EXPECT_EQ(__ldg(&values[0]) + __ldcg(&values[1]), 3.5f);
    const int4 four = make_int4(1, 2, 3, 4);
    EXPECT_EQ(__ldg(&four).w, 4);
}

}  // namespace
