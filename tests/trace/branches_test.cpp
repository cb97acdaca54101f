// Ways of lanes through basic blocks, written as blocks and lanes.
#include "src/trace/analyse/branches.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "tests/trace/synthetic_requests.hpp"

namespace lanework {
namespace {

constexpr std::uint32_t kEven = 0x55555555u, kOdd = 0xaaaaaaaau, kLow = 0x0000ffffu, kHigh = 0xffff0000u;

class BranchesOfALaunch : public testing::Test {
protected:
    BranchesOfALaunch() {
        shape.block = {64, 1, 1};
        branches.launch_begins(shape);
        branches.block_begins(0);
        for (std::uint32_t id = 0; id < 5; ++id) sites.push_back(site_of(0, EventKind::path, Space::unknown, id));
    }
    /// Lanes enter the block of the program that the letter names.
    void enter(char name, std::uint32_t lanes = kAllLanes, std::uint64_t block = 0, unsigned warp = 0) {
        branches.step({&site(name), lanes, block, warp});
    }
    void finish() {
        branches.block_ends(0);
        branches.launch_ends(shape);
    }
    Site& site(char name) { return sites[static_cast<std::size_t>(name - 'a')]; }
    const BranchCounters& of(char name) { return site(name).branch; }

    LaunchShape shape;
    Branches branches;
    std::deque<Site> sites;
};

TEST_F(BranchesOfALaunch, OneWayOnIsNoBranch) {
    for (const char name : {'a', 'b', 'c'}) enter(name);
    finish();
    for (const char name : {'a', 'b', 'c'}) {
        EXPECT_EQ(of(name).entries, 1u);
        EXPECT_EQ(of(name).lanes, 32u);
        EXPECT_EQ(of(name).branches, 0u);
    }
}

TEST_F(BranchesOfALaunch, ALoopThatAllLanesLeaveTogetherIsUniform) {
    enter('a');
    for (int round = 0; round < 10; ++round) enter('b');
    enter('c');
    finish();
    EXPECT_EQ(of('b').entries, 10u);
    EXPECT_EQ(of('b').branches, 10u);
    EXPECT_EQ(of('b').divergent, 0u);
    EXPECT_EQ(of('a').branches, 0u);
}

TEST_F(BranchesOfALaunch, LanesThatPartDiverge) {
    enter('a');
    enter('b', kEven);
    enter('c', kOdd);
    enter('d');
    finish();
    EXPECT_EQ(of('a').branches, 1u);
    EXPECT_EQ(of('a').divergent, 1u);
    EXPECT_EQ(of('b').branches, 0u) << "they meet again unconditionally";
    EXPECT_EQ(of('b').lanes, 16u);
    EXPECT_EQ(of('c').branches, 0u);
    EXPECT_EQ(of('d').lanes, 32u);
}

TEST_F(BranchesOfALaunch, WarpsThatGoDifferentWaysDoNotDiverge) {
    enter('a', kAllLanes, 0, 0);
    enter('b', kAllLanes, 0, 0);
    enter('a', kAllLanes, 0, 1);
    enter('c', kAllLanes, 0, 1);
    finish();
    EXPECT_EQ(of('a').branches, 2u);
    EXPECT_EQ(of('a').divergent, 0u);
}

TEST_F(BranchesOfALaunch, ALoopWithDifferentTripCountsDivergesWhereLanesLeave) {
    enter('a');
    enter('b');
    enter('b', kLow);  // the others wait behind the loop
    enter('b', kLow);
    enter('c');
    finish();
    EXPECT_EQ(of('b').entries, 3u);
    EXPECT_EQ(of('b').lanes, 64u);
    EXPECT_EQ(of('b').branches, 3u);
    EXPECT_EQ(of('b').divergent, 1u);
}

TEST_F(BranchesOfALaunch, LeavingTheKernelIsNoBranch) {
    enter('a');
    enter('b', kLow);  // the others leave
    finish();
    EXPECT_EQ(of('a').branches, 0u);
    EXPECT_EQ(of('b').branches, 0u);
}

TEST_F(BranchesOfALaunch, AGroupThatSomeLanesOfLeaveStillCountsItsBranch) {
    enter('a');
    enter('b', kEven & kLow);
    enter('c', kOdd & kLow);  // the high lanes leave
    finish();
    EXPECT_EQ(of('a').branches, 1u);
    EXPECT_EQ(of('a').divergent, 1u);
}

TEST_F(BranchesOfALaunch, PartsOfAWarpAreGroupsOfTheirOwn) {
    enter('a', kLow);
    enter('a', kHigh);
    enter('b', kLow);
    enter('c', kHigh);
    finish();
    EXPECT_EQ(of('a').entries, 2u);
    EXPECT_EQ(of('a').branches, 2u);
    EXPECT_EQ(of('a').divergent, 0u) << "each part went one way";
}

TEST_F(BranchesOfALaunch, GroupsThatMeetAreOne) {
    enter('a');
    enter('b', kLow);
    enter('c', kHigh);
    enter('d');
    enter('a', kLow);
    enter('e', kHigh);
    finish();
    EXPECT_EQ(of('d').branches, 1u);
    EXPECT_EQ(of('d').divergent, 1u);
    EXPECT_EQ(of('b').branches + of('c').branches, 0u);
}

TEST_F(BranchesOfALaunch, BlocksThatInterleaveAreKeptApart) {
    branches.block_begins(1);
    enter('a', kAllLanes, 0);
    enter('a', kAllLanes, 1);
    enter('b', kAllLanes, 0);
    enter('c', kAllLanes, 1);
    branches.block_ends(1);
    finish();
    EXPECT_EQ(of('a').branches, 2u);
    EXPECT_EQ(of('a').divergent, 0u);
}

TEST_F(BranchesOfALaunch, ABlockThatTakesTheNumberOfAnOldOneBeginsAnew) {
    enter('a');
    branches.block_ends(0);
    branches.block_begins(0);
    enter('c');
    finish();
    EXPECT_EQ(of('a').branches, 0u);
    branches.launch_begins(shape);
    branches.block_begins(0);
    enter('a');
    enter('b');
    finish();
    EXPECT_EQ(of('a').branches, 0u) << "what an earlier launch did is forgotten";
}

}  // namespace
}  // namespace lanework
