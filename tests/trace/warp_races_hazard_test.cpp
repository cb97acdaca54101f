// Which accesses within a warp race and which its meetings order, on warps that are told and not run.
#include <gtest/gtest.h>

#include "tests/trace/synthetic_warps.hpp"

namespace lanework {
namespace {

using enum EventKind;

/// A block whose shared memory is filled, and two statements that touch it.
class WarpRaces : public testing::Test {
protected:
    WarpRaces() {
        launch.begin(0);
        fill_shared(launch, 0);
    }

    SyntheticLaunch launch;
    Site& read = launch.site(load, Space::shared);
    Site& write = launch.site(store, Space::shared);
};

TEST_F(WarpRaces, VolatileIsNoMeeting) {
    read.is_volatile = write.is_volatile = true;
    launch.access(write, 0, 0, 0);
    launch.access(read, 0, 0, 4, 31);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::warp_synchrony);
}

TEST_F(WarpRaces, LanesThatDidNotMeetRace) {
    launch.access(write, 0, 0, 0);
    launch.access(read, 0, 0, 4, 31);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::warp_synchrony);
    EXPECT_EQ(hazards[0].count, 31u);
}

TEST_F(WarpRaces, AMeetingOfTheWarpOrders) {
    launch.access(read, 0, 0, 4, 31);
    launch.meet(0, 0);
    launch.access(write, 0, 0, 0);
    launch.meet(0, 0);
    launch.access(read, 0, 0, 4, 31);
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

TEST_F(WarpRaces, AShuffleOrdersNothing) {
    Site& shuffle = launch.site(warp_exchange, Space::unknown);
    launch.access(write, 0, 0, 0);
    launch.hazards().meeting({&shuffle, ~0u, 0, 0});
    launch.access(read, 0, 0, 4, 31);
    launch.end(0);
    EXPECT_EQ(launch.finish().size(), 1u);
}

TEST_F(WarpRaces, AMeetingOfTheWarpDoesNotOrderAnother) {
    launch.access(write, 0, 0, 0);
    launch.meet(0, 0);
    launch.meet(0, 1);
    launch.access(read, 0, 1, 0);
    launch.end(0);
    EXPECT_EQ(launch.finish().size(), 1u);
}

TEST_F(WarpRaces, LanesThatMetWithoutOneAreNotOrderedWithIt) {
    launch.single(write, 0, 1, 4);
    launch.single(write, 0, 2, 8);
    launch.meet(0, 0, 0b011);
    launch.single(read, 0, 0, 4);
    launch.single(read, 0, 0, 8);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].address, 8u);
}

TEST_F(WarpRaces, LanesKnowWhatThoseKnewThatTheyMet) {
    launch.single(write, 0, 2, 8);
    launch.meet(0, 0, 0b110);
    launch.meet(0, 0, 0b011);
    launch.single(read, 0, 0, 8);
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

TEST_F(WarpRaces, WhatALaneDidAfterTheMeetingIsNotKnown) {
    launch.meet(0, 0, 0b110);
    launch.single(write, 0, 2, 8);
    launch.single(read, 0, 1, 8);
    launch.end(0);
    EXPECT_EQ(launch.finish().size(), 1u);
}

}  // namespace
}  // namespace lanework
