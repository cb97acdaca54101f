// Plain reads of what others compare and swap: harmless where the reader's next access of the word compares as well.
#include <gtest/gtest.h>

#include "tests/trace/synthetic_warps.hpp"

namespace lanework {
namespace {

using enum EventKind;

/// Two blocks with words of global memory, or two warps of block 0 with words of shared memory.
class Guesses : public testing::TestWithParam<Space> {
protected:
    Guesses() {
        exchange.compares = true;
        for (std::uint64_t block = 0; block < (shared() ? 1 : 2); ++block) launch.begin(block);
        if (shared()) fill_shared(launch, 0);
    }

    bool shared() const { return GetParam() == Space::shared; }
    std::uint64_t word(std::size_t index) const { return shared() ? index * 4 : array[index]; }
    /// A lane of the first or the second block or warp.
    void by(int which, Site& site, std::size_t index = 0, unsigned lane = 0) {
        launch.single(site, shared() ? 0 : which, (shared() ? which * kLanes : 0) + lane, word(index));
    }
    /// So many lanes of the first warp from `first` on, all the first word.
    void together(Site& site, unsigned first = 0, unsigned lanes = kLanes) {
        launch.access(site, 0, 0, word(0), lanes, 0, first);
    }
    std::size_t hazards() {
        for (std::uint64_t block = 0; block < (shared() ? 1 : 2); ++block) launch.end(block);
        return launch.finish().size();
    }

    SyntheticLaunch launch;
    const Array array{launch};
    Site& read = launch.site(load, GetParam());
    Site& exchange = launch.site(atomic, GetParam());
    Site& add = launch.site(atomic, GetParam());
    Site& write = launch.site(store, GetParam());
};

TEST_P(Guesses, AReadIsNoRaceWhereTheReaderComparesNext) {
    by(0, read, 0);
    by(0, exchange, 0);
    by(1, read, 0);
    by(1, exchange, 0);
    // Between the read and the comparison, whichever comes first.
    by(0, read, 1);
    by(1, read, 1);
    by(1, exchange, 1);
    by(0, exchange, 1);
    EXPECT_EQ(hazards(), 0u);
}

TEST_P(Guesses, EachRoundMayReadAgain) {
    for (int round = 0; round < 3; ++round)
        for (const int which : {0, 1}) {
            by(which, read);
            by(1 - which, exchange);
            by(which, exchange);
        }
    EXPECT_EQ(hazards(), 0u);
}

TEST_P(Guesses, AReadThatNothingFollowsIsARace) {
    by(0, exchange);
    by(1, read);
    EXPECT_EQ(hazards(), 1u);
}

TEST_P(Guesses, AReadThatNothingFollowsIsARaceWhereItRanFirst) {
    by(0, read);
    by(1, exchange);
    EXPECT_EQ(hazards(), 1u);
}

TEST_P(Guesses, AReadOfAnotherWordFollowsNothing) {
    by(0, exchange, 0);
    by(1, read, 0);
    by(1, exchange, 1);
    EXPECT_EQ(hazards(), 1u);
}

TEST_P(Guesses, PollingIsARace) {
    by(0, read);
    by(0, read);
    by(1, exchange);
    by(0, exchange);
    EXPECT_EQ(hazards(), 1u);
}

TEST_P(Guesses, PollingIsARaceWhereTheWordChangesMeanwhile) {
    by(0, read);
    by(1, exchange);
    by(0, read);
    by(0, exchange);
    EXPECT_EQ(hazards(), 1u);
}

TEST_P(Guesses, AnotherAtomicOperationVouchesForNothing) {
    by(0, read);
    by(1, exchange);
    by(0, add);
    EXPECT_EQ(hazards(), 1u);
}

TEST_P(Guesses, AnotherAtomicOperationVouchesForNothingWhereItRanFirst) {
    by(0, read);
    by(0, add);
    by(1, exchange);
    EXPECT_EQ(hazards(), 1u);
}

TEST_P(Guesses, AnotherAtomicOperationIsARaceWithARead) {
    by(0, read, 0);
    by(0, exchange, 0);
    by(1, add, 0);
    EXPECT_EQ(hazards(), 1u);
}

TEST_P(Guesses, AStoreIsARaceWithAReadAndWithAComparison) {
    by(0, read, 0);
    by(0, exchange, 0);
    by(1, write, 0);
    EXPECT_EQ(hazards(), 2u);
}

TEST_P(Guesses, OfTheLanesOfAWarpThoseAreNoneThatDoNotCompare) {
    const auto warp = [&](int which, Site& site, unsigned lanes) {
        launch.access(site, shared() ? 0 : which, shared() ? which : 0, word(0), lanes, 0);
    };
    warp(0, read, kLanes);
    warp(0, exchange, kLanes);
    warp(1, read, kLanes);
    warp(1, exchange, kLanes - 1);
    ASSERT_NE(hazards(), 0u);
    for (const Hazard& hazard : launch.hazards().list().hazards()) {
        EXPECT_EQ(hazard.site.kind, atomic);
        EXPECT_EQ(hazard.other_thread.lane(), kLanes - 1);
    }
}

TEST_P(Guesses, OfLanesThatReadTogetherThoseBetweenTwoThatCompareAreNone) {
    together(read);
    by(0, exchange, 0, 0);
    by(0, exchange, 0, kLanes - 1);
    ASSERT_EQ(hazards(), 1u);
    EXPECT_EQ(launch.hazards().list().hazards().front().other_thread.lane(), 1u);
}

TEST_P(Guesses, OfLanesThatReadOneByOneThoseBetweenTwoThatCompareAreNone) {
    for (const unsigned lane : {3, 4, 5, 6}) by(0, read, 0, lane);
    by(0, exchange, 0, 3);
    by(0, exchange, 0, 6);
    by(0, exchange, 0, 5);
    ASSERT_EQ(hazards(), 1u);
    EXPECT_EQ(launch.hazards().list().hazards().front().other_thread.lane(), 4u);
}

TEST_P(Guesses, LanesThatReadTogetherMayCompareOneByOne) {
    together(read);
    for (unsigned lane = 0; lane < kLanes; ++lane) by(0, exchange, 0, lane);
    together(read, 4, 8);
    together(exchange, 6, 6);
    together(exchange, 4, 2);
    EXPECT_EQ(hazards(), 0u);
}

TEST_P(Guesses, LanesThatReadTogetherAgainPoll) {
    together(read);
    together(read, 7, 4);
    together(exchange);
    EXPECT_EQ(hazards(), 1u);
}

TEST_P(Guesses, LanesThatReadTogetherAreOrderedBeforeTheirMeeting) {
    together(read);
    launch.meet(0, 0);
    by(0, exchange, 0, 0);
    by(0, exchange, 0, kLanes - 1);
    EXPECT_EQ(hazards(), 0u);
}

TEST_P(Guesses, OfLanesThatReadTogetherAnotherBlockOrWarpComparesBesideTheRest) {
    together(read);
    launch.meet(0, 0);
    by(0, exchange, 0, 0);
    by(0, exchange, 0, kLanes - 1);
    by(1, exchange);
    EXPECT_EQ(hazards(), 1u);
}

INSTANTIATE_TEST_SUITE_P(InEitherMemory, Guesses, testing::Values(Space::global, Space::shared),
                         [](const auto& space) { return std::string(name_of(space.param)); });

/// A read of part of what is compared, and one of more.
TEST(GuessesOfParts, AreVouchedForByAComparisonOfAllThatWasRead) {
    const auto hazards_of = [](unsigned read_bytes, unsigned compared_bytes) {
        SyntheticLaunch launch;
        const Array array(launch);
        Site& read = launch.site(load, Space::global, read_bytes);
        Site& exchange = launch.site(atomic, Space::global, compared_bytes);
        exchange.compares = true;
        for (const std::uint64_t block : {0, 1}) {
            launch.begin(block);
            launch.single(read, block, 0, array[0]);
            launch.single(exchange, block, 0, array[0]);
            launch.end(block);
        }
        return launch.finish().size();
    };
    EXPECT_EQ(hazards_of(4, 4), 0u);
    EXPECT_EQ(hazards_of(4, 8), 0u);
    EXPECT_EQ(hazards_of(16, 16), 0u);
    EXPECT_EQ(hazards_of(2, 2), 0u);
    EXPECT_EQ(hazards_of(4, 2), 1u);
}

}  // namespace
}  // namespace lanework
