// Which accesses of global memory race, within and between blocks, on warps that are told and not run.
#include <gtest/gtest.h>

#include "tests/trace/synthetic_warps.hpp"

namespace lanework {
namespace {

using enum EventKind;

/// An array that the host has written, and two statements that touch it.
class GlobalRaces : public testing::Test {
protected:
    SyntheticLaunch launch;
    const Array array{launch};
    Site& read = launch.site(load, Space::global);
    Site& write = launch.site(store, Space::global);
};

/// The hazards of a block that sets a volatile flag and counts atomically, and of another that polls both.
std::size_t hazards_of_polling(bool plain_read) {
    SyntheticLaunch launch;
    const Array array(launch);
    Site& set = launch.site(store, Space::global);
    Site& add = launch.site(atomic, Space::global);
    Site& poll = launch.site(load, Space::global);
    set.is_volatile = true;
    poll.is_volatile = !plain_read;
    launch.begin(0);
    launch.single(set, 0, 0, array[0]);
    launch.single(add, 0, 0, array[1]);
    launch.end(0);
    launch.begin(1);
    launch.single(poll, 1, 0, array[0]);
    launch.single(poll, 1, 0, array[1]);
    launch.end(1);
    return launch.finish().size();
}

TEST(VolatileFlag, RacesWithPlainAccessesAlone) {
    EXPECT_EQ(hazards_of_polling(false), 0u);
    EXPECT_EQ(hazards_of_polling(true), 2u);
}

TEST_F(GlobalRaces, BlocksAreConcurrentWhicheverRanFirst) {
    launch.begin(0);
    launch.access(read, 0, 0, array[100]);  // before the other block …
    launch.access(write, 0, 1, array[300]);
    launch.end(0);
    launch.begin(1);
    launch.access(write, 1, 0, array[100]);
    launch.access(read, 1, 1, array[300]);  // … and behind it
    launch.end(1);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::race);
    EXPECT_EQ(hazards[0].count, 64u);
}

TEST_F(GlobalRaces, ABlocksOwnReadDoesNotHideAnothers) {
    launch.begin(0);
    launch.single(read, 0, 0, array[32]);
    launch.end(0);
    launch.begin(1);
    launch.access(read, 1, 0, array[32]);
    launch.access(write, 1, 0, array[32]);
    launch.end(1);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].other_thread.block, 0u);
}

TEST_F(GlobalRaces, ABlocksBarrierOrdersItsOwnThreads) {
    launch.begin(0);
    launch.access(write, 0, 0, array[0]);
    launch.barrier(0);
    launch.access(read, 0, 1, array[0]);
    launch.barrier(0);
    launch.access(write, 0, 0, array[0]);
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

TEST_F(GlobalRaces, ALaunchOrdersWhatCameBefore) {
    launch.begin(0);
    launch.access(write, 0, 0, array[0]);
    launch.end(0);
    launch.next_launch();
    launch.begin(1);
    launch.access(read, 1, 0, array[0]);
    launch.access(write, 1, 0, array[0]);
    launch.end(1);
    EXPECT_TRUE(launch.finish().empty());
}

TEST_F(GlobalRaces, ARunAcrossPagesIsLookedAtInBoth) {
    const std::size_t edge = kPageBytes / 4;
    launch.begin(0);
    launch.access(write, 0, 0, array[edge - 16]);
    launch.end(0);
    launch.begin(1);
    launch.single(read, 1, 0, array[edge - 1]);
    launch.single(read, 1, 0, array[edge]);
    launch.end(1);
    EXPECT_EQ(launch.finish().at(0).count, 2u);
}

}  // namespace
}  // namespace lanework
