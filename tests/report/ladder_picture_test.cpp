// A ladder as a picture: bars of the right lengths, one ladder alone, texts that do not meet.
#include "src/report/results/ladder_picture.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <lanework/error.hpp>

#include "tests/report/sample.hpp"
#include "tests/report/svg_well_formed.hpp"

namespace lanework {
namespace {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::size_t count(const std::string& text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

/// The width of the bar in the group whose title begins so.
double width_of_bar(const std::string& svg, const std::string& title) {
    const std::size_t group = svg.find("<title>" + title);
    const std::size_t rect = svg.find("<rect", group), width = svg.find(" width=\"", rect);
    return group == std::string::npos ? -1 : std::stod(svg.substr(width + 8));
}

TEST(LadderPicture, DrawsBarsAsLongAsTheirShareOfTheLimit) {
    const std::string svg = ladder_svg(
        std::vector{sample("naive", {4e-3}), sample("tiled", {2e-3}, "naive"), library("peer", {1.25e-3})}, "");
    EXPECT_EQ(svg_fault(svg), "");
    EXPECT_TRUE(contains(svg, "transpose on cpu")) << svg;
    EXPECT_TRUE(contains(svg, "1000x500 int32; limit 1.00 ms by memory")) << svg;
    const double naive = width_of_bar(svg, "naive: 4.00 ms, 25.0% of the limit");
    EXPECT_GT(naive, 0) << svg;
    EXPECT_NEAR(width_of_bar(svg, "tiled: 2.00 ms, 50.0%") / naive, 2, 0.01);
    EXPECT_NEAR(width_of_bar(svg, "peer (library): 1.25 ms, 80.0%") / naive, 3.2, 0.02);
}

TEST(LadderPicture, LeavesOutOtherProblemsAndWhatWasNotMeasured) {
    Measurement other = sample("naive", {1e-3});
    other.problem.extent = extents(7, 7);
    const std::string svg =
        ladder_svg(std::vector{failing("racy", Verdict::wrong, "no"), sample("naive", {4e-3}), other}, "Mine");
    EXPECT_EQ(count(svg, "naive: "), 1U) << svg;
    EXPECT_FALSE(contains(svg, "racy"));
    EXPECT_TRUE(contains(svg, ">Mine<")) << svg;
}

TEST(LadderPicture, HasDecadesWhereTheSlowestIsFarFromTheLimit) {
    const std::string svg = ladder_svg(std::vector{sample("naive", {2}), sample("best", {20e-3}, "naive")}, "");
    EXPECT_TRUE(contains(svg, "scale of decades") && contains(svg, ">0.01%<")) << svg;
    const double along_naive = 1 + std::log10(0.0005) / 4, along_best = 1 + std::log10(0.05) / 4;
    EXPECT_NEAR(width_of_bar(svg, "best: 20.0 ms") / width_of_bar(svg, "naive: 2.00 s"), along_best / along_naive,
                0.02);
}

TEST(LadderPicture, ComparesWithTheFastestWhereThereIsNoLimit) {
    Measurement slow = sample("slow", {4e-3}), fast = sample("fast", {1e-3});
    slow.limit.reset();
    fast.limit.reset();
    const std::string svg = ladder_svg(std::vector{slow, fast}, "");
    EXPECT_TRUE(contains(svg, "slow: 4.00 ms, 25.0% of the fastest")) << svg;
}

TEST(LadderPicture, OfNothingIsRefused) {
    EXPECT_THROW(ladder_svg(std::vector{failing("racy", Verdict::wrong, "no")}, ""), UsageError);
}

}  // namespace
}  // namespace lanework
