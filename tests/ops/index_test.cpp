// Grids that index the whole of an array: large enough, within CUDA's limits, and of a telling shape.
#include <gtest/gtest.h>

#include "ops/index/shape.hpp"

namespace lanework {
namespace {

constexpr std::int64_t kBlockCounts[] = {1, 2, 3, 4, 9, 12, 1000, 65535, 65536, 4294967296, 1LL << 36};

std::int64_t blocks_in(const GridShape& g) { return std::int64_t{g.x} * g.y * g.z; }

void expect_covers(const GridShape& g, std::int64_t blocks) {
    EXPECT_GE(blocks_in(g), blocks);
    EXPECT_LE(g.x, kMaxGridX);
    EXPECT_LE(g.y, kMaxGridYZ);
    EXPECT_LE(g.z, kMaxGridYZ);
}

TEST(IndexShape, PlanesCoverEveryBlockWithUnequalSides) {
    for (const std::int64_t blocks : kBlockCounts) {
        SCOPED_TRACE(blocks);
        const GridShape g = plane_of_blocks(blocks);
        expect_covers(g, blocks);
        EXPECT_GE(g.y, 2U);
        EXPECT_GT(g.x, g.y);
        EXPECT_EQ(g.z, 1U);
    }
}

TEST(IndexShape, BoxesCoverEveryBlockWithUnequalSides) {
    for (const std::int64_t blocks : kBlockCounts) {
        SCOPED_TRACE(blocks);
        const GridShape g = box_of_blocks(blocks);
        expect_covers(g, blocks);
        EXPECT_GE(g.z, 2U);
        EXPECT_GT(g.y, g.z);
        EXPECT_GT(g.x, g.y);
    }
}

TEST(IndexShape, SparesFewBlocksOfALargeGrid) {
    EXPECT_LT(static_cast<double>(blocks_in(plane_of_blocks(1'000'000))), 1.01e6);
    EXPECT_LT(static_cast<double>(blocks_in(box_of_blocks(1'000'000))), 1.04e6);
}

TEST(IndexShape, RefusesALineBeyondTheGridsEnd) {
    EXPECT_EQ(line_refusal(kMaxGridX * 256, 256), "");
    EXPECT_EQ(line_refusal(kMaxGridX * 256 + 1, 256), "a one-dimensional grid ends at 2147483647 blocks");
}

}  // namespace
}  // namespace lanework
