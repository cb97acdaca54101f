// The SVG writer: well-formed, escaped, the same for the same calls.
#include "src/draw/svg.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "tests/report/svg_well_formed.hpp"

namespace lanework {
namespace {

std::string everything() {
    Svg svg(100, 50);
    const Point points[] = {{0, 0}, {10, 20.5}, {30, 5}};
    svg.begin_group("a < b & c");
    svg.line(1, 2, 3, 4, {.tone = Tone::faint, .width = 2, .dashed = true});
    svg.rect(1, 2, 3, 4, {.tone = Tone::good, .opacity = 0.5, .corner = 2});
    svg.circle(5, 5, 2, {.tone = hue(3)});
    svg.polyline(points, {.tone = Tone::accent});
    svg.polygon(points);
    svg.end_group();
    svg.text(10, 10, "vector<float>",
             {.size = 9, .anchor = Anchor::end, .bold = true, .monospace = true, .rotate = -90});
    return svg.finish();
}

std::string text_of(std::string_view text) {
    Svg svg(10, 10);
    svg.text(0, 0, text);
    const std::string whole = svg.finish();
    const auto start = whole.find('>', whole.find("<text")) + 1;
    return whole.substr(start, whole.find("</text>") - start);
}

TEST(Svg, IsWellFormed) { EXPECT_EQ(svg_fault(everything()), ""); }

TEST(Svg, IsTheSameForTheSameCalls) { EXPECT_EQ(everything(), everything()); }

TEST(Svg, StatesItsNaturalSizeAndScales) {
    EXPECT_EQ(count_of("viewBox=\"0 0 100 50\" width=\"100\" height=\"50\"", everything()), 1);
}

TEST(Svg, WritesEveryShapeWithItsStyle) {
    const std::string svg = everything();
    for (const char* element : {
             "<line x1=\"1\" y1=\"2\" x2=\"3\" y2=\"4\" class=\"s1\" stroke-width=\"2\" stroke-dasharray=\"4 3\"/>",
             "<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" rx=\"2\" class=\"f4\" fill-opacity=\"0.5\"/>",
             "<circle cx=\"5\" cy=\"5\" r=\"2\" class=\"f11\"/>",
             "<polyline points=\"0,0 10,20.5 30,5\" fill=\"none\" class=\"s3\"/>",
             "<polygon points=\"0,0 10,20.5 30,5\" class=\"f3\"/>",
             "<g><title>a &lt; b &amp; c</title>",
             ">vector&lt;float&gt;</text>",
         })
        EXPECT_EQ(count_of(element, svg), 1) << element << "\n" << svg;
}

TEST(Svg, ColoursWhatItUsesForLightAndForDarkPaper) {
    const std::string svg = everything();
    const auto dark = svg.find("@media (prefers-color-scheme:dark)");
    ASSERT_NE(dark, std::string::npos);
    for (const char* rule : {".f4{fill:", ".s1{stroke:", ".f11{fill:"}) {
        EXPECT_EQ(count_of(rule, svg.substr(0, dark)), 1) << rule;
        EXPECT_EQ(count_of(rule, svg.substr(dark)), 1) << rule;
    }
    EXPECT_EQ(count_of(".f7{", svg), 0) << "nothing is drawn in this tone";
}

TEST(Svg, EscapesMarkupAndReplacesWhatXmlForbids) {
    EXPECT_EQ(text_of("a<b> & \"c\""), "a&lt;b&gt; &amp; \"c\"");
    EXPECT_EQ(text_of("2×µ 漢 😀"), "2×µ 漢 😀");
    EXPECT_EQ(text_of(std::string_view("a\0b\033", 4)),
              "a\xEF\xBF\xBD"
              "b\xEF\xBF\xBD");
    EXPECT_EQ(text_of("\xFF\xC3"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "no UTF-8";
    EXPECT_EQ(text_of("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "an overlong form";
    EXPECT_EQ(text_of("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD") << "a surrogate";
    EXPECT_EQ(text_of("\xEF\xBF\xBF"), "\xEF\xBF\xBD");
}

TEST(Svg, WritesNumbersShortly) {
    Svg svg(1, 1);
    svg.line(1.0 / 3, -0.001, 1e6, 2.50);
    EXPECT_EQ(count_of("x1=\"0.33\" y1=\"0\" x2=\"1000000\" y2=\"2.5\"", svg.finish()), 1);
}

TEST(Svg, RefusesCoordinatesThatAreNoNumbers) {
    Svg svg(1, 1);
    EXPECT_THROW(svg.line(0, 0, std::numeric_limits<double>::quiet_NaN(), 0), std::invalid_argument);
    EXPECT_THROW(svg.rect(0, 0, std::numeric_limits<double>::infinity(), 1), std::invalid_argument);
}

TEST(Svg, EndsGroupsThatAreOpen) {
    Svg svg(1, 1);
    svg.begin_group("outer");
    svg.begin_group("inner");
    EXPECT_EQ(svg_fault(svg.finish()), "");
    EXPECT_THROW(svg.end_group(), std::logic_error);
}

TEST(Svg, HuesRepeatAndAreNoOtherTone) {
    EXPECT_EQ(hue(0), hue(kHues));
    EXPECT_NE(hue(0), hue(1));
    EXPECT_GT(hue(0), Tone::bad);
}

}  // namespace
}  // namespace lanework
