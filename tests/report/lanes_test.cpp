// Words for sets of lanes.
#include "src/report/explain/lanes.hpp"

#include <gtest/gtest.h>

namespace lanework {
namespace {

TEST(LaneList, NamesRuns) {
    EXPECT_EQ(lane_list(0), "no lane");
    EXPECT_EQ(lane_list(1u << 31), "lane 31");
    EXPECT_EQ(lane_list(~0u), "lanes 0–31");
    EXPECT_EQ(lane_list(0x80000001u), "lanes 0 and 31");
    EXPECT_EQ(lane_list(0x00030003u), "lanes 0–1 and 16–17");
    EXPECT_EQ(lane_list(0x01010003u), "lanes 0–1, 16 and 24");
}

TEST(LaneList, ShortensEvenSteps) {
    EXPECT_EQ(lane_list(0x55555555u), "lanes 0, 2, 4 … 30");
    EXPECT_EQ(lane_list(0x11111110u), "lanes 4, 8, 12 … 28");
}

TEST(LaneList, CountsWhatItDoesNotName) {
    EXPECT_EQ(lane_list(0x10010F0Fu), "lanes 0–3, 8–11, 16 and 1 other");
    EXPECT_EQ(lane_list(0xFFF0F00Fu), "lanes 0–3, 12–15 and 20–31");
    EXPECT_EQ(lane_list(0x0D0D0D0Du), "lanes 0, 2–3, 8 and 8 others");
}

TEST(FirstAndLast, LeavesOutTheMiddleOfMany) {
    std::vector<std::string> rows(10, "x\n");
    EXPECT_EQ(first_and_last(rows, "", "rows"), "x\nx\nx\nx\nx\nx\nx\nx\nx\nx\n");
    rows.emplace_back("last\n");
    EXPECT_EQ(first_and_last(rows, "  ", "rows"), "x\nx\nx\nx\nx\nx\nx\nx\n  … 2 more rows …\nlast\n");
}

}  // namespace
}  // namespace lanework
