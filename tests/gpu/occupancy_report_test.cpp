// How occupancy is told: the sentence, the table, the curve, the advice, the picture.
#include "src/io/json.hpp"
#include "src/report/kernels/occupancy.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanework {
namespace {

OccupancyReport report(const KernelResources& kernel, int number = 90) {
    return {*find_capability(number), {}, {{{}, kernel, {}}}, true};
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(OccupancyReport, NamesBlocksWarpsAndTheLimiter) {
    const std::string text =
        draw(report({.threads_per_block = 256, .registers_per_thread = 40, .dynamic_shared = 8192}), Style{});
    EXPECT_TRUE(contains(text, "6 blocks of 8 warps: 48 of 64 warps, 75.0%, limited by registers")) << text;
    EXPECT_TRUE(contains(text, "Hopper 9.0")) << text;
    EXPECT_TRUE(contains(text, "32 registers per thread instead of 40 make room for 8 blocks: 64 warps, 100.0%"))
        << text;
}

TEST(OccupancyReport, SaysThatALaunchIsImpossible) {
    const std::string text = draw(report({.threads_per_block = 1024, .registers_per_thread = 65}), Style{});
    EXPECT_TRUE(contains(text, "The launch is impossible: 65 registers per thread for 1024 threads")) << text;
}

// The column of the highest row is filled where all 64 warps run, and nowhere else.
TEST(OccupancyReport, CurveIsAsHighAsTheOccupancy) {
    const Capability& sm = *find_capability(90);
    const std::string curve = draw_curve(sm, {.registers_per_thread = 32}, 256, Style{});
    EXPECT_EQ(std::ranges::count(curve, '\n'), 11);  // its title, eight rows, the axis, the sizes
    const auto rows = curve.find('\n') + 1;
    const std::string top = curve.substr(rows, curve.find('\n', rows) - rows);
    std::size_t full = 0;
    for (const OccupancyPoint& point : occupancy_curve(sm, {.registers_per_thread = 32}))
        full += point.occupancy.warps == 64;
    EXPECT_EQ(display_width(top), 7 + 2 * 32u);  // 1024 threads, the last column, fill an SM
    std::size_t blocks = 0;
    for (auto at = top.find("█"); at != top.npos; at = top.find("█", at + 1)) ++blocks;
    EXPECT_EQ(blocks, full);
    EXPECT_TRUE(contains(curve, "^"));
    EXPECT_FALSE(contains(draw_curve(sm, {}, 0, Style{}), "^"));
}

TEST(OccupancyReport, FitsATerminalOfEightyColumns) {
    const std::string text = draw(
        report({.threads_per_block = 33, .registers_per_thread = 200, .dynamic_shared = 60000}), Style{.width = 80});
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
        EXPECT_LE(display_width(text.substr(at, text.find('\n', at) - at)), 80u) << text;
}

TEST(OccupancyReport, AdvisesWholeWarpsAndLargerBlocks) {
    const Capability& sm = *find_capability(90);
    const auto advice = occupancy_advice(sm, {{}, {.threads_per_block = 33}, {}});
    ASSERT_GE(advice.size(), 2u);
    EXPECT_EQ(advice[0], "33 threads cost 2 warps, and 31 lanes of the last one do nothing: use a multiple of 32.");
    EXPECT_TRUE(contains(advice[1], "at least 128 threads"));
    EXPECT_TRUE(occupancy_advice(sm, {{}, {.threads_per_block = 256, .registers_per_thread = 32}, {}}).empty());
}

TEST(OccupancyReport, AdvisesABlockSizeThatHoldsMore) {
    const auto advice = occupancy_advice(*find_capability(86), {{}, {.threads_per_block = 1024}, {}});
    EXPECT_EQ(advice, std::vector<std::string>{"768 threads per block keep 48 warps, 100.0%."});
}

TEST(OccupancyReport, ShowsTheTightestKernelOfARung) {
    OccupancyReport rung = report({.threads_per_block = 256, .registers_per_thread = 32});
    rung.cases.push_back({"heavy", {.threads_per_block = 256, .registers_per_thread = 128}, {}});
    EXPECT_EQ(tightest(rung).kernel, "heavy");
    rung.sized = false;
    EXPECT_EQ(tightest(rung).kernel, "heavy");
}

TEST(OccupancyReport, IsJsonToo) {
    const auto json = Json::parse(
        occupancy_to_json(report({.threads_per_block = 256, .registers_per_thread = 40, .dynamic_shared = 8192})));
    EXPECT_EQ(json["schema"], 1);
    EXPECT_EQ(json["capability"], 90);
    const auto& item = json["occupancy"][0];
    EXPECT_EQ(item["blocks_per_sm"], 6);
    EXPECT_EQ(item["warps_per_sm"], 48);
    EXPECT_EQ(item["limiters"], Json::array({"registers"}));
    EXPECT_TRUE(item["impossible"].is_null());
    EXPECT_EQ(item["curve"].size(), 32u);
    EXPECT_EQ(item["curve"][7]["warps_per_sm"], 48);
}

TEST(OccupancyReport, PicturesEveryBlockSize) {
    const std::string svg = occupancy_to_svg(report({.threads_per_block = 250, .registers_per_thread = 40}));
    EXPECT_TRUE(contains(svg, "<svg"));
    EXPECT_TRUE(contains(svg, "256 threads: 6 blocks, 48 warps, 75.0%, registers")) << svg;
    EXPECT_TRUE(contains(svg, "1024 threads: 1 blocks"));
}

}  // namespace
}  // namespace lanework
