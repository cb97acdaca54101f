// The roofline in words, in characters and as a picture.
#include "src/report/explain/roofline_picture.hpp"

#include <gtest/gtest.h>

#include "tests/report/svg_well_formed.hpp"

namespace lanework {
namespace {

// Ridge at 10 operations per byte.
RooflineChart roofline(std::vector<RooflinePoint> points) { return {"a GPU", 4e12, 40e12, std::move(points), {}}; }

TEST(RooflineChart, BoundsByMemoryLeftOfTheRidge) {
    const RooflineChart roof = roofline({});
    EXPECT_DOUBLE_EQ(roof.ridge(), 10);
    EXPECT_DOUBLE_EQ(roof.roof(1), 4e12);
    EXPECT_DOUBLE_EQ(roof.roof(10), 40e12);
    EXPECT_DOUBLE_EQ(roof.roof(1000), 40e12);
}

TEST(RooflineChart, SaysWhatBoundsAPoint) {
    EXPECT_EQ(describe_point(roofline({}), {"naive", 0.25, 5e11}),
              "naive: 0.25 FLOP per byte, bound by memory: at most 1.00 TFLOP/s; 500 GFLOP/s is 50.0% of it");
    EXPECT_EQ(describe_point(roofline({}), {"tiled", 64, {}}),
              "tiled: 64 FLOP per byte, bound by arithmetic: at most 40.0 TFLOP/s");
    EXPECT_EQ(describe_point(roofline({}), {"copy", 0, {}}), "copy: no arithmetic, bound by memory");
}

// Column and row of a glyph, or (-1, -1).
std::pair<int, int> position(const std::string& text, std::string_view glyph) {
    int row = 0;
    for (std::size_t start = 0, end = 0; start < text.size(); start = end + 1, ++row) {
        end = text.find('\n', start);
        const std::string_view line = std::string_view(text).substr(start, end - start);
        if (const auto at = line.find(glyph); at != std::string_view::npos && row > 0)
            return {static_cast<int>(display_width(line.substr(0, at))), row};
    }
    return {-1, -1};
}

TEST(RooflineChart, PutsAPointOnItsRoofOrBelow) {
    const std::string on = draw_roofline(roofline({{"a", 1, {}}}), {});
    const std::string below = draw_roofline(roofline({{"a", 1, 4e11}}), {});
    EXPECT_EQ(position(on, "●").first, position(below, "●").first);
    EXPECT_LT(position(on, "●").second, position(below, "●").second);
    EXPECT_EQ(count_of("●", on), 2) << "in the picture and in the list";
}

TEST(RooflineChart, RisesToTheRidgeAndStaysThere) {
    const std::string text = draw_roofline(roofline({}), {});
    const auto slope = position(text, "╱"), roof = position(text, "─");
    EXPECT_EQ(slope.second, roof.second) << "they meet";
    EXPECT_LT(slope.first, roof.first);
    EXPECT_GT(count_of("╱", text), 20);
    EXPECT_EQ(text.find("Roofline of a GPU: 4.00 TB/s and 40.0 TFLOP/s meet at 10 FLOP per byte\n"), 0u);
}

TEST(RooflineChart, NumbersSeveralPointsAndListsThoseWithoutAPlace) {
    const std::string text = draw_roofline(roofline({{"a", 1, {}}, {"b", 100, {}}, {"c", 0, {}}}), {});
    EXPECT_EQ(count_of("\n1 a:", text), 1);
    EXPECT_EQ(count_of("\n2 b:", text), 1);
    EXPECT_EQ(count_of("\n– c: no arithmetic", text), 1);
}

TEST(RooflineChart, ReachesPointsFarFromTheRidge) {
    for (const double intensity : {1e-6, 1e-3, 1e3, 1e7})
        EXPECT_EQ(count_of("●", draw_roofline(roofline({{"far", intensity, {}}}), {})), 2) << intensity;
    EXPECT_EQ(count_of("●", draw_roofline(roofline({{"slow", 1, 1e3}}), {})), 2);
}

TEST(RooflineChart, IsDrawnAsSvg) {
    const std::string svg = roofline_svg(roofline({{"vector<float>", 1, 1e12}, {"none", 0, {}}}));
    EXPECT_EQ(svg_fault(svg), "");
    EXPECT_EQ(count_of("<circle", svg), 1);
    EXPECT_EQ(count_of("memory: 4.00 TB/s", svg), 1);
    EXPECT_EQ(count_of("arithmetic: 40.0 TFLOP/s", svg), 1);
}

TEST(RooflineChart, SaysInItsTitleWhatItIsOf) {
    RooflineChart chart = roofline({{"naive (estimate)", 1, 1e12}});
    chart.subject = "matmul/naive 512x512x512 float32";
    EXPECT_EQ(count_of(">Roofline of matmul/naive 512x512x512 float32 on a GPU</text>", roofline_svg(chart)), 1);
    EXPECT_EQ(draw_roofline(chart, {}).find("Roofline of matmul/naive 512x512x512 float32 on a GPU: "), 0u);
}

// The words of labels, whose letters are about 0.62 of their size wide, against the frame of 640 x 400.
TEST(RooflineChart, KeepsLabelsInTheFrame) {
    for (const double intensity : {1e-4, 0.01, 1.0, 60.0, 300.0, 5e4})
        for (const double rate : {1e8, 1e11, 3e13}) {
            const std::string label = "a rung with quite a long name (estimate)";
            const std::string svg = roofline_svg(roofline({{label, intensity, rate}}));
            const std::size_t end = svg.find(">" + label + "</text>");
            ASSERT_NE(end, svg.npos);
            const std::string tag = svg.substr(svg.rfind("<text", end), end - svg.rfind("<text", end));
            const double x = std::stod(tag.substr(tag.find("x=\"") + 3)),
                         y = std::stod(tag.substr(tag.find("y=\"") + 3));
            const double width = 0.62 * 12 * static_cast<double>(label.size());
            const bool left = tag.find("text-anchor=\"end\"") != tag.npos;
            EXPECT_GE(left ? x - width : x, 0) << intensity;
            EXPECT_LE(left ? x : x + width, 640) << intensity;
            EXPECT_LT(y, 400 - 48);
        }
}

TEST(RooflineChart, FitsTerminalsWithoutUnicode) {
    const std::string text = draw_roofline(roofline({{"a", 1, {}}}), {});
    EXPECT_EQ(to_ascii(text).find('?'), std::string::npos) << to_ascii(text);
}

}  // namespace
}  // namespace lanework
