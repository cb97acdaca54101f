// The palette: seen by eyes that lack one kind of cone, and against its paper.
#include "src/draw/palette.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lanework {
namespace {

using Vec = std::array<double, 3>;
using Matrix = std::array<Vec, 3>;

Vec times(const Matrix& matrix, const Vec& x) {
    Vec result{};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column) result[row] += matrix[row][column] * x[column];
    return result;
}

/// Light of a colour "#rrggbb", each component from 0 to 1.
Vec linear(std::string_view colour) {
    Vec light{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double value = std::stoi(std::string(colour.substr(1 + 2 * i, 2)), nullptr, 16) / 255.0;
        light[i] = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    }
    return light;
}

/// CIE L*a*b* under D65.
Vec lab(const Vec& light) {
    constexpr Matrix xyz{{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
    Vec x = times(xyz, light);
    constexpr Vec white{0.9505, 1, 1.089};
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = std::max(0.0, x[i] / white[i]);
        x[i] = t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
    }
    return {116 * x[1] - 16, 500 * (x[0] - x[1]), 200 * (x[1] - x[2])};
}

double distance(const Vec& a, const Vec& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

// Machado, Oliveira and Fernandes 2009, severity 1: what people without red, green or blue cones see, in linear light.
struct Sight {
    const char* name;
    Matrix seen;
};
constexpr Sight kSights[] = {
    {"all cones", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia",
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritanopia",
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};

TEST(Palette, HasHuesThatColourBlindEyesTellApart) {
    constexpr double kApart = 10;  // a difference of 2.3 is just seen
    for (const Sight& sight : kSights)
        for (std::size_t a = 0; a < kHues; ++a)
            for (std::size_t b = 0; b < a; ++b)
                for (const bool dark : {false, true}) {
                    const Colours x = colours_of(hue(a)), y = colours_of(hue(b));
                    const auto seen = [&](const Colours& colours) {
                        return lab(times(sight.seen, linear(dark ? colours.dark : colours.light)));
                    };
                    EXPECT_GT(distance(seen(x), seen(y)), kApart)
                        << sight.name << (dark ? ", dark: " : ", light: ") << a << " and " << b;
                }
}

TEST(Palette, StandsOutAgainstItsPaper) {
    const auto luminance = [](std::string_view colour) {
        const Vec light = linear(colour);
        return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
    };
    const auto contrast = [&](std::string_view a, std::string_view b) {
        const double x = luminance(a), y = luminance(b);
        return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
    };
    const Colours paper = colours_of(Tone::paper);
    for (std::size_t i = 0; i < kTones; ++i) {
        const Tone tone = static_cast<Tone>(i);
        if (tone == Tone::paper || tone == Tone::faint) continue;
        EXPECT_GE(contrast(colours_of(tone).light, paper.light), 3) << i;
        EXPECT_GE(contrast(colours_of(tone).dark, paper.dark), 3) << i;
    }
}

TEST(Palette, IsAStyleSheetOfEachTone) {
    const std::string css = palette_css();
    for (std::size_t i = 0; i < kTones; ++i) {
        const std::string name = "--t" + std::to_string(i) + ":";
        EXPECT_NE(css.find(name + std::string(colours_of(static_cast<Tone>(i)).light)), css.npos);
        EXPECT_NE(css.find(name + std::string(colours_of(static_cast<Tone>(i)).dark)), css.npos);
    }
    EXPECT_NE(css.find("--bad:var(--t7)"), css.npos);
}

}  // namespace
}  // namespace lanework
