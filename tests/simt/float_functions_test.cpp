// The elementary functions on float: within one unit of the last place, and right where a result has no such error.
// scripts/float-errors looks at every float; here at some of every size.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <lanework_simt/float_functions.hpp>
#include <limits>

namespace floats = lanework_simt::floats;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();

struct Case {
    const char* name;
    float (*function)(float);
    double (*exact)(double);
};
#define CASE(name)                                                                            \
    {                                                                                         \
#name, [](float x) { return floats::name(x); }, [](double x) { return std::name(x); } \
    }
constexpr Case kCases[] = {CASE(sin),  CASE(cos),  CASE(tan),   CASE(asin), CASE(acos), CASE(atan),
                           CASE(sinh), CASE(cosh), CASE(tanh),  CASE(exp),  CASE(exp2), CASE(expm1),
                           CASE(log),  CASE(log2), CASE(log10), CASE(log1p)};
#undef CASE

double last_place(double value) {
    const double size = std::fabs(value);
    return size < 0x1p-126 ? 0x1p-149 : std::ldexp(1.0, std::ilogb(size) - 23);
}

void expect_near(const char* name, float got, double exact, float x) {
    const auto rounded = static_cast<float>(exact);
    if (std::isnan(rounded) || std::isinf(rounded) || rounded == 0) {
        EXPECT_TRUE(std::isnan(rounded) ? std::isnan(got) : got == rounded) << name << ' ' << x << ": " << got;
        EXPECT_TRUE(rounded != 0 || std::signbit(got) == std::signbit(rounded)) << name << ' ' << x;
    } else {
        EXPECT_LE(std::fabs(got - exact), last_place(exact)) << name << ' ' << x;
    }
}

TEST(FloatFunctions, AreWithinOneUnitOfTheLastPlace) {
    for (const Case& each : kCases) {
        for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 50021) {
            const auto word = static_cast<std::uint32_t>(bits);
            float x;
            std::memcpy(&x, &word, sizeof x);
            expect_near(each.name, each.function(x), each.exact(x), x);
        }
        for (const float x : {0.0f, 0x1p-149f, 0x1p-126f, 1.0f, 0x1.fffffep127f, kInf, kNan, 0x1.921fb6p+1f,
                              0x1.fp+120f, 88.8f, -103.98f, 0x1.27c90cp+25f})
            for (const float signed_x : {x, -x})
                expect_near(each.name, each.function(signed_x), each.exact(signed_x), signed_x);
    }
}

TEST(FloatFunctions, OfPowersKeepEveryRuleOfTheStandard) {
    const float values[] = {0, 0x1p-149f, 0x1p-126f, 0.5f,     1 - 0x1p-24f, 1,   1 + 0x1p-23f,    1.5f, 2,
                            3, 7,         8388607,   16777215, 16777216,     128, 0x1.fffffep127f, kInf, kNan};
    for (const float x : values)
        for (const float y : values)
            for (const float base : {x, -x})
                for (const float power : {y, -y}) {
                    expect_near("pow", floats::pow(base, power), std::pow(double(base), double(power)), base);
                    expect_near("atan2", floats::atan2(base, power), std::atan2(double(base), double(power)), base);
                }
    EXPECT_EQ(floats::exp10(3.0f), 1000.0f);
    EXPECT_EQ(floats::log10(1000.0f), 3.0f);
    EXPECT_EQ(floats::exp2(-149.0f), 0x1p-149f);
}

TEST(FloatFunctions, AreTheSameInTheLibrary) {
    for (float x = 0x1p-140f; x < 0x1p120f; x *= 3.1f) {
        EXPECT_EQ(floats::called::sin(x), floats::sin(x));
        EXPECT_EQ(floats::called::log(x), floats::log(x));
        EXPECT_EQ(floats::called::pow(x, 0.3f), floats::pow(x, 0.3f));
    }
}

}  // namespace
