// Which accesses race and which are ordered, on warps that are told and not run.
#include <gtest/gtest.h>

#include "tests/trace/synthetic_warps.hpp"

namespace lanework {
namespace {

using enum EventKind;

/// Shared memory that all of the block's threads have written, with a barrier behind it.
void fill_shared(SyntheticLaunch& launch, std::uint64_t block, unsigned warps = 2) {
    Site& fill = launch.site(store, Space::shared);
    for (unsigned warp = 0; warp < warps; ++warp) launch.access(fill, block, warp, warp * 128);
    launch.barrier(block);
}

/// Global memory that the host has written.
class Array {
public:
    explicit Array(SyntheticLaunch& launch) {
        launch.hazards().memory_allocated({words_.data(), bytes()});
        launch.hazards().memory_written({words_.data(), bytes()});
    }
    std::uint64_t operator[](std::size_t word) const { return number(&words_[word]); }
    std::size_t bytes() const { return words_.size() * sizeof(std::uint32_t); }

private:
    std::vector<std::uint32_t> words_ = std::vector<std::uint32_t>(50'000);
};

TEST(SharedRaces, AReadOfWhatAnotherWarpWroteRaces) {
    SyntheticLaunch launch;
    launch.begin(0);
    Site& write = launch.site(store, Space::shared);
    Site& read = launch.site(load, Space::shared);
    launch.access(write, 0, 0, 0);
    launch.access(read, 0, 1, 0);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::race);
    EXPECT_EQ(hazards[0].severity, Severity::error);
    EXPECT_EQ(hazards[0].site.pc, write.pc);
    EXPECT_EQ(hazards[0].other.pc, read.pc);
    EXPECT_EQ(hazards[0].thread.thread, 0u);
    EXPECT_EQ(hazards[0].other_thread.thread, 32u);
    EXPECT_EQ(hazards[0].count, 32u);
}

TEST(SharedRaces, ABarrierBetweenThemOrders) {
    SyntheticLaunch launch;
    launch.begin(0);
    Site& write = launch.site(store, Space::shared);
    Site& read = launch.site(load, Space::shared);
    launch.access(write, 0, 0, 0);
    launch.access(write, 0, 1, 128);
    launch.barrier(0);
    launch.access(read, 0, 1, 0);
    launch.access(read, 0, 0, 128);
    launch.barrier(0);
    launch.access(write, 0, 0, 128);
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

TEST(SharedRaces, AWriteOfWhatAnotherWarpReadsRaces) {
    SyntheticLaunch launch;
    launch.begin(0);
    fill_shared(launch, 0);
    Site& read = launch.site(load, Space::shared);
    Site& write = launch.site(store, Space::shared);
    launch.access(read, 0, 0, 128);
    launch.access(write, 0, 1, 128);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::race);
    EXPECT_EQ(hazards[0].site.pc, write.pc);
}

TEST(SharedRaces, AReaderIsRememberedBehindTheWritersOwnRead) {
    for (const bool own_first : {true, false}) {
        SyntheticLaunch launch;
        launch.begin(0);
        fill_shared(launch, 0);
        Site& read = launch.site(load, Space::shared);
        Site& write = launch.site(store, Space::shared);
        launch.single(read, 0, own_first ? 0 : 33, 64);
        launch.single(read, 0, own_first ? 33 : 0, 64);
        launch.single(write, 0, 0, 64);
        launch.end(0);
        EXPECT_EQ(launch.finish().size(), 1u) << own_first;
    }
}

TEST(SharedRaces, AReaderOfAnotherWarpIsRememberedAmongManyOfOne) {
    SyntheticLaunch launch(96);
    launch.begin(0);
    fill_shared(launch, 0, 3);
    Site& read = launch.site(load, Space::shared);
    Site& write = launch.site(store, Space::shared);
    launch.access(read, 0, 0, 0);             // each its own
    launch.access(read, 0, 0, 0, kLanes, 0);  // all of them word 0
    launch.single(read, 0, 64, 0);
    launch.single(read, 0, 0, 0);
    launch.meet(0, 0);
    launch.single(write, 0, 0, 0);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::race);
    EXPECT_EQ(hazards[0].other_thread.thread, 64u);
}

TEST(SharedRaces, ManyReadersDoNotRace) {
    SyntheticLaunch launch;
    launch.begin(0);
    fill_shared(launch, 0);
    Site& read = launch.site(load, Space::shared);
    for (int repeat = 0; repeat < 3; ++repeat)
        for (unsigned warp = 0; warp < 2; ++warp) {
            launch.access(read, 0, warp, 0);
            launch.access(read, 0, warp, 64, kLanes, 0);
        }
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

TEST(SharedRaces, BytesOfOneWordAreApart) {
    SyntheticLaunch launch;
    launch.begin(0);
    Site& write = launch.site(store, Space::shared, 1);
    Site& read = launch.site(load, Space::shared, 1);
    launch.access(write, 0, 0, 0, 32, 1);
    launch.access(write, 0, 1, 32, 32, 1);
    launch.access(read, 0, 0, 0, 32, 1);
    launch.access(read, 0, 1, 32, 32, 1);
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

TEST(SharedRaces, OneByteOfAnothersWordRaces) {
    SyntheticLaunch launch;
    launch.begin(0);
    Site& write = launch.site(store, Space::shared, 4);
    Site& read = launch.site(load, Space::shared, 1);
    launch.access(write, 0, 0, 0);
    launch.single(read, 0, 40, 3);
    launch.end(0);
    EXPECT_EQ(launch.finish().size(), 1u);
}

TEST(SharedRaces, AVectorRacesInEachOfItsWords) {
    SyntheticLaunch launch;
    launch.begin(0);
    Site& write = launch.site(store, Space::shared, 16);
    Site& read = launch.site(load, Space::shared, 4);
    launch.access(write, 0, 0, 0, 32, 16);
    launch.barrier(0);
    launch.access(write, 0, 0, 0, 32, 16);
    launch.single(read, 0, 63, 31 * 16 + 12);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].thread.thread, 31u);
}

TEST(SharedRaces, AnotherBlocksSharedMemoryIsAnother) {
    SyntheticLaunch launch;
    launch.begin(0);
    launch.begin(1);
    Site& write = launch.site(store, Space::shared);
    launch.access(write, 0, 0, 0);
    launch.access(write, 1, 1, 0);
    launch.end(0);
    launch.end(1);
    launch.begin(2);  // in the place of one of them
    launch.access(write, 2, 0, 0);
    launch.end(2);
    EXPECT_TRUE(launch.finish().empty());
}

TEST(SharedRaces, OneStatementThatWritesOneWordIsAWarning) {
    SyntheticLaunch launch;
    launch.begin(0);
    Site& flag = launch.site(store, Space::shared);
    launch.access(flag, 0, 0, 0, kLanes, 0);
    launch.access(flag, 0, 1, 0, kLanes, 0);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_FALSE(hazards.empty());
    for (const Hazard& hazard : hazards) EXPECT_EQ(hazard.severity, Severity::warning);
}

TEST(SharedRaces, AtomicsRaceWithPlainAccessesAndNotWithEachOther) {
    for (const EventKind second : {atomic, reduction, load, store}) {
        SyntheticLaunch launch;
        launch.begin(0);
        fill_shared(launch, 0);
        Site& add = launch.site(reduction, Space::shared);
        Site& other = launch.site(second, Space::shared);
        launch.access(add, 0, 0, 0, kLanes, 0);
        launch.single(other, 0, 50, 0);
        launch.end(0);
        EXPECT_EQ(launch.finish().size(), second == load || second == store ? 1u : 0u);
    }
}

TEST(GlobalRaces, AVolatileFlagRacesWithPlainAccessesAlone) {
    for (const bool plain_read : {false, true}) {
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
        EXPECT_EQ(launch.finish().size(), plain_read ? 2u : 0u);
    }
}

TEST(WarpRaces, VolatileIsNoMeeting) {
    SyntheticLaunch launch;
    launch.begin(0);
    fill_shared(launch, 0);
    Site& read = launch.site(load, Space::shared);
    Site& write = launch.site(store, Space::shared);
    read.is_volatile = write.is_volatile = true;
    launch.access(write, 0, 0, 0);
    launch.access(read, 0, 0, 4, 31);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::warp_synchrony);
}

TEST(WarpRaces, LanesThatDidNotMeetRace) {
    SyntheticLaunch launch;
    launch.begin(0);
    fill_shared(launch, 0);
    Site& read = launch.site(load, Space::shared);
    Site& write = launch.site(store, Space::shared);
    launch.access(write, 0, 0, 0);
    launch.access(read, 0, 0, 4, 31);
    launch.end(0);
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].rule, Rule::warp_synchrony);
    EXPECT_EQ(hazards[0].count, 31u);
}

TEST(WarpRaces, AMeetingOfTheWarpOrders) {
    SyntheticLaunch launch;
    launch.begin(0);
    fill_shared(launch, 0);
    Site& read = launch.site(load, Space::shared);
    Site& write = launch.site(store, Space::shared);
    launch.access(read, 0, 0, 4, 31);
    launch.meet(0, 0);
    launch.access(write, 0, 0, 0);
    launch.meet(0, 0);
    launch.access(read, 0, 0, 4, 31);
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

TEST(WarpRaces, AShuffleOrdersNothing) {
    SyntheticLaunch launch;
    launch.begin(0);
    fill_shared(launch, 0);
    Site& read = launch.site(load, Space::shared);
    Site& write = launch.site(store, Space::shared);
    Site& shuffle = launch.site(warp_exchange, Space::unknown);
    launch.access(write, 0, 0, 0);
    launch.hazards().meeting({&shuffle, ~0u, 0, 0});
    launch.access(read, 0, 0, 4, 31);
    launch.end(0);
    EXPECT_EQ(launch.finish().size(), 1u);
}

TEST(WarpRaces, AMeetingOfTheWarpDoesNotOrderAnother) {
    SyntheticLaunch launch;
    launch.begin(0);
    fill_shared(launch, 0);
    Site& read = launch.site(load, Space::shared);
    Site& write = launch.site(store, Space::shared);
    launch.access(write, 0, 0, 0);
    launch.meet(0, 0);
    launch.meet(0, 1);
    launch.access(read, 0, 1, 0);
    launch.end(0);
    EXPECT_EQ(launch.finish().size(), 1u);
}

TEST(WarpRaces, LanesThatMetWithoutOneAreNotOrderedWithIt) {
    SyntheticLaunch launch;
    launch.begin(0);
    fill_shared(launch, 0);
    Site& read = launch.site(load, Space::shared);
    Site& write = launch.site(store, Space::shared);
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

TEST(WarpRaces, LanesKnowWhatThoseKnewThatTheyMet) {
    SyntheticLaunch launch;
    launch.begin(0);
    fill_shared(launch, 0);
    Site& read = launch.site(load, Space::shared);
    Site& write = launch.site(store, Space::shared);
    launch.single(write, 0, 2, 8);
    launch.meet(0, 0, 0b110);
    launch.meet(0, 0, 0b011);
    launch.single(read, 0, 0, 8);
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

TEST(WarpRaces, WhatALaneDidAfterTheMeetingIsNotKnown) {
    SyntheticLaunch launch;
    launch.begin(0);
    fill_shared(launch, 0);
    Site& read = launch.site(load, Space::shared);
    Site& write = launch.site(store, Space::shared);
    launch.meet(0, 0, 0b110);
    launch.single(write, 0, 2, 8);
    launch.single(read, 0, 1, 8);
    launch.end(0);
    EXPECT_EQ(launch.finish().size(), 1u);
}

TEST(GlobalRaces, BlocksAreConcurrentWhicheverRanFirst) {
    SyntheticLaunch launch;
    const Array array(launch);
    Site& read = launch.site(load, Space::global);
    Site& write = launch.site(store, Space::global);
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

TEST(GlobalRaces, ABlocksOwnReadDoesNotHideAnothers) {
    SyntheticLaunch launch;
    const Array array(launch);
    Site& read = launch.site(load, Space::global);
    Site& write = launch.site(store, Space::global);
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

TEST(GlobalRaces, ABlocksBarrierOrdersItsOwnThreads) {
    SyntheticLaunch launch;
    const Array array(launch);
    Site& read = launch.site(load, Space::global);
    Site& write = launch.site(store, Space::global);
    launch.begin(0);
    launch.access(write, 0, 0, array[0]);
    launch.barrier(0);
    launch.access(read, 0, 1, array[0]);
    launch.barrier(0);
    launch.access(write, 0, 0, array[0]);
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

TEST(GlobalRaces, ALaunchOrdersWhatCameBefore) {
    SyntheticLaunch launch;
    const Array array(launch);
    Site& read = launch.site(load, Space::global);
    Site& write = launch.site(store, Space::global);
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

TEST(GlobalRaces, ARunAcrossPagesIsLookedAtInBoth) {
    SyntheticLaunch launch;
    const Array array(launch);
    Site& write = launch.site(store, Space::global);
    Site& read = launch.site(load, Space::global);
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

/// Block 0 publishes a word by a ticket; block 1 takes a ticket and reads the word.
struct Handover {
    bool release_fence = true, acquire_fence = true, ticket_before = false, overlapping = false;

    std::size_t hazards() const {
        SyntheticLaunch launch;
        const Array array(launch);
        Site& write = launch.site(store, Space::global);
        Site& read = launch.site(load, Space::global);
        Site& ticket = launch.site(atomic, Space::global);
        const std::uint64_t counter = array[1000], word = array[2000];
        launch.begin(0);
        if (overlapping) launch.begin(1);
        if (ticket_before) launch.single(ticket, 0, 0, counter);
        launch.single(write, 0, 5, word);
        launch.barrier(0);
        if (release_fence) launch.fence(0, 0);
        if (!ticket_before) launch.single(ticket, 0, 0, counter);
        launch.end(0);
        if (!overlapping) launch.begin(1);
        launch.single(ticket, 1, 0, counter);
        if (acquire_fence) launch.fence(1, 0);
        launch.barrier(1);
        launch.single(read, 1, 40, word);
        launch.end(1);
        return launch.finish().size();
    }
};

TEST(Fences, ATicketBetweenFencesOrdersBlocks) {
    EXPECT_EQ(Handover{}.hazards(), 0u);
    EXPECT_EQ(Handover{.overlapping = true}.hazards(), 0u);
}
TEST(Fences, BothFencesAreNeeded) {
    EXPECT_EQ(Handover{.release_fence = false}.hazards(), 1u);
    EXPECT_EQ(Handover{.acquire_fence = false}.hazards(), 1u);
}
TEST(Fences, ATicketTakenBeforeTheWriteOrdersNothing) { EXPECT_EQ(Handover{.ticket_before = true}.hazards(), 1u); }

TEST(Fences, ATicketThatWasTakenBeforeTheOthersOrdersNothing) {
    // Every block reads every sum, not the last one alone: the first took its ticket before the second's.
    SyntheticLaunch launch;
    const Array array(launch);
    Site& write = launch.site(store, Space::global);
    Site& read = launch.site(load, Space::global);
    Site& ticket = launch.site(atomic, Space::global);
    for (std::uint64_t block = 0; block < 2; ++block) {
        launch.begin(block);
        launch.single(write, block, 0, array[block]);
        launch.fence(block, 0);
        launch.single(ticket, block, 0, array[1000]);
        launch.fence(block, 0);
        launch.barrier(block);
        launch.single(read, block, 1, array[0]);
        launch.single(read, block, 2, array[1]);
        launch.end(block);
    }
    const auto& hazards = launch.finish();
    ASSERT_EQ(hazards.size(), 1u);
    EXPECT_EQ(hazards[0].address, array[1]);
}

TEST(Fences, WhatIsToldLaterMayHaveRunBefore) {
    // Block 0 publishes its word, and is told at its end: behind block 1, which saw the ticket and read the word.
    SyntheticLaunch launch;
    const Array array(launch);
    Site& write = launch.site(store, Space::global);
    Site& read = launch.site(load, Space::global);
    Site& ticket = launch.site(atomic, Space::global);
    launch.begin(0);
    launch.begin(1);
    launch.single(ticket, 1, 0, array[1000]);
    launch.fence(1, 0);
    launch.single(read, 1, 0, array[0]);
    launch.end(1);
    launch.single(write, 0, 0, array[0]);
    launch.fence(0, 0);
    launch.single(ticket, 0, 0, array[1000]);
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

TEST(Fences, TicketsOfDifferentCountersOrderNothing) {
    SyntheticLaunch launch;
    const Array array(launch);
    Site& write = launch.site(store, Space::global);
    Site& ticket = launch.site(atomic, Space::global);
    Site& read = launch.site(load, Space::global);
    launch.begin(0);
    launch.single(write, 0, 0, array[0]);
    launch.fence(0, 0);
    launch.single(ticket, 0, 0, array[1000]);
    launch.end(0);
    launch.begin(1);
    launch.single(ticket, 1, 0, array[1001]);
    launch.fence(1, 0);
    launch.single(read, 1, 0, array[0]);
    launch.end(1);
    EXPECT_EQ(launch.finish().size(), 1u);
}

TEST(Fences, AChainOverAThirdBlockOrders) {
    SyntheticLaunch launch;
    const Array array(launch);
    Site& write = launch.site(store, Space::global);
    Site& flag = launch.site(atomic, Space::global);
    Site& read = launch.site(load, Space::global);
    launch.begin(0);
    launch.single(write, 0, 0, array[0]);
    launch.fence(0, 0);
    launch.single(flag, 0, 0, array[1000]);
    launch.end(0);
    launch.begin(1);
    launch.single(flag, 1, 0, array[1000]);
    launch.fence(1, 0);
    launch.single(flag, 1, 0, array[1001]);
    launch.end(1);
    launch.begin(2);
    launch.single(flag, 2, 0, array[1001]);
    launch.fence(2, 0);
    launch.single(read, 2, 0, array[0]);
    launch.end(2);
    EXPECT_TRUE(launch.finish().empty());
}

TEST(Fences, AWriteBehindTheReleaseIsNotOrdered) {
    SyntheticLaunch launch;
    const Array array(launch);
    Site& write = launch.site(store, Space::global);
    Site& flag = launch.site(atomic, Space::global);
    Site& read = launch.site(load, Space::global);
    launch.begin(0);
    launch.fence(0, 0);
    launch.single(write, 0, 0, array[0]);
    launch.single(flag, 0, 0, array[1000]);
    launch.end(0);
    launch.begin(1);
    launch.single(flag, 1, 0, array[1000]);
    launch.fence(1, 0);
    launch.single(read, 1, 0, array[0]);
    launch.end(1);
    EXPECT_EQ(launch.finish().size(), 1u);
}

TEST(Fences, ALockOrdersWarpsOfABlock) {
    SyntheticLaunch launch;
    const Array array(launch);
    Site& lock = launch.site(atomic, Space::shared);
    Site& write = launch.site(store, Space::global);
    Site& read = launch.site(load, Space::global);
    launch.begin(0);
    fill_shared(launch, 0);
    for (const unsigned thread : {0u, 40u}) {
        launch.single(lock, 0, thread, 0);
        launch.fence(0, thread);
        launch.single(read, 0, thread, array[0]);
        launch.single(write, 0, thread, array[0]);
        launch.fence(0, thread);
        launch.single(lock, 0, thread, 0);
    }
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

}  // namespace
}  // namespace lanework
