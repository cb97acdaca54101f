// Which accesses atomics and fences order, on blocks that are told and not run.
#include <gtest/gtest.h>

#include "tests/trace/synthetic_warps.hpp"

namespace lanework {
namespace {

using enum EventKind;

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

TEST(Ticket, BetweenFencesOrdersBlocks) {
    EXPECT_EQ(Handover{}.hazards(), 0u);
    EXPECT_EQ(Handover{.overlapping = true}.hazards(), 0u);
}
TEST(Ticket, NeedsBothFences) {
    EXPECT_EQ(Handover{.release_fence = false}.hazards(), 1u);
    EXPECT_EQ(Handover{.acquire_fence = false}.hazards(), 1u);
}
TEST(Ticket, TakenBeforeTheWriteOrdersNothing) { EXPECT_EQ(Handover{.ticket_before = true}.hazards(), 1u); }

/// A block that nobody follows may have handed on what block 1 takes from block 0.
TEST(Ticket, MayHaveBeenHandedOnBehindTheTimeOfACheck) {
    for (const bool cut_short : {false, true}) {
        SyntheticLaunch launch;
        const Array array(launch);
        Site& write = launch.site(store, Space::global);
        Site& read = launch.site(load, Space::global);
        Site& ticket = launch.site(atomic, Space::global);
        const std::uint64_t word = array[2000];
        launch.begin(0);
        launch.begin(1);
        launch.single(write, 0, 0, word);
        launch.fence(0, 0);
        launch.single(ticket, 0, 0, array[1000]);
        launch.end(0);
        if (cut_short) launch.hazards().launch_cut_short();
        launch.single(ticket, 1, 0, array[1001]);
        launch.fence(1, 0);
        launch.single(read, 1, 0, word);
        launch.end(1);
        EXPECT_EQ(launch.finish().size(), cut_short ? 0u : 1u);
    }
}

/// Block 0 writes a word and stores a flag, block 1 loads the flag and reads the word. A release or acquire orders what
/// its own operation does, and nothing that a relaxed one beside it does.
std::size_t hazards_of_flag(bool releases, bool acquires, bool other_flag = false) {
    SyntheticLaunch launch;
    const Array array(launch);
    Site& write = launch.site(store, Space::global);
    Site& read = launch.site(load, Space::global);
    Site& set = launch.site(store, Space::global);
    Site& poll = launch.site(load, Space::global);
    set.atomic_access = poll.atomic_access = true;
    const std::uint64_t word = array[2000], flag = array[1000], stored = other_flag ? array[1001] : flag;
    launch.begin(0);
    launch.single(write, 0, 5, word);
    releases ? launch.releases(set, 0, 5, stored) : launch.single(set, 0, 5, stored);
    if (other_flag) launch.single(set, 0, 5, flag);
    launch.end(0);
    launch.begin(1);
    acquires ? launch.acquires(poll, 1, 40, flag) : launch.single(poll, 1, 40, flag);
    launch.single(read, 1, 40, word);
    launch.end(1);
    return launch.finish().size();
}

TEST(Flag, OrdersWhatIsStoredWithReleaseAndLoadedWithAcquire) {
    EXPECT_EQ(hazards_of_flag(true, true), 0u);
    EXPECT_EQ(hazards_of_flag(false, true), 1u);
    EXPECT_EQ(hazards_of_flag(true, false), 1u);
    EXPECT_EQ(hazards_of_flag(false, false), 1u);
}
TEST(Flag, StoredRelaxedBesideAReleaseOrdersNothing) { EXPECT_EQ(hazards_of_flag(true, true, true), 1u); }

/// An array that the host has written, blocks that write and read it, and counters in it that hand it over.
class Fences : public testing::Test {
protected:
    void release(std::uint64_t block, std::size_t counter) {
        launch.fence(block, 0);
        launch.single(flag, block, 0, array[counter]);
    }
    void acquire(std::uint64_t block, std::size_t counter) {
        launch.single(flag, block, 0, array[counter]);
        launch.fence(block, 0);
    }

    SyntheticLaunch launch;
    const Array array{launch};
    Site& write = launch.site(store, Space::global);
    Site& read = launch.site(load, Space::global);
    Site& flag = launch.site(atomic, Space::global);
};

TEST_F(Fences, ATicketThatWasTakenBeforeTheOthersOrdersNothing) {
    // Every block reads every sum, not the last one alone: the first took its ticket before the second's.
    for (std::uint64_t block = 0; block < 2; ++block) {
        launch.begin(block);
        launch.single(write, block, 0, array[block]);
        release(block, 1000);
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

TEST_F(Fences, WhatIsToldLaterMayHaveRunBefore) {
    // Block 0 publishes its word, and is told at its end: behind block 1, which saw the ticket and read the word.
    launch.begin(0);
    launch.begin(1);
    acquire(1, 1000);
    launch.single(read, 1, 0, array[0]);
    launch.end(1);
    launch.single(write, 0, 0, array[0]);
    release(0, 1000);
    launch.end(0);
    EXPECT_TRUE(launch.finish().empty());
}

TEST_F(Fences, TicketsOfDifferentCountersOrderNothing) {
    launch.begin(0);
    launch.single(write, 0, 0, array[0]);
    release(0, 1000);
    launch.end(0);
    launch.begin(1);
    acquire(1, 1001);
    launch.single(read, 1, 0, array[0]);
    launch.end(1);
    EXPECT_EQ(launch.finish().size(), 1u);
}

TEST_F(Fences, AChainOverAThirdBlockOrders) {
    launch.begin(0);
    launch.single(write, 0, 0, array[0]);
    release(0, 1000);
    launch.end(0);
    launch.begin(1);
    acquire(1, 1000);
    launch.single(flag, 1, 0, array[1001]);
    launch.end(1);
    launch.begin(2);
    acquire(2, 1001);
    launch.single(read, 2, 0, array[0]);
    launch.end(2);
    EXPECT_TRUE(launch.finish().empty());
}

TEST_F(Fences, AWriteBehindTheReleaseIsNotOrdered) {
    launch.begin(0);
    launch.fence(0, 0);
    launch.single(write, 0, 0, array[0]);
    launch.single(flag, 0, 0, array[1000]);
    launch.end(0);
    launch.begin(1);
    acquire(1, 1000);
    launch.single(read, 1, 0, array[0]);
    launch.end(1);
    EXPECT_EQ(launch.finish().size(), 1u);
}

TEST_F(Fences, ALockOrdersWarpsOfABlock) {
    Site& lock = launch.site(atomic, Space::shared);
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
