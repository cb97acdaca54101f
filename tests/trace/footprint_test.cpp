// Which memory a launch touched, and what a block loaded again.
#include "src/trace/analyse/footprint.hpp"
#include "src/trace/analyse/explanation.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "tests/trace/synthetic_requests.hpp"

namespace lanework {
namespace {

class FootprintOfALaunch : public testing::Test {
protected:
    FootprintOfALaunch() {
        footprint.launch_begins({});
        footprint.block_begins(0);
    }
    void load(const std::function<std::int64_t(int)>& offset, std::uint64_t block = 0,
              std::uint32_t lanes = kAllLanes) {
        Request request = request_at(loads, offset, lanes);
        request.block = block;
        footprint.request(request);
    }
    std::uint64_t repeated() const { return loads.global.repeated_sectors; }
    KernelTrace recorded() const {
        KernelTrace trace;
        footprint.record(trace);
        return trace;
    }

    Footprint footprint;
    Site loads = site_of(4), stores = site_of(4, EventKind::store);
    Site additions = site_of(4, EventKind::reduction), tickets = site_of(4, EventKind::atomic);
};

TEST_F(FootprintOfALaunch, CountsASectorOnceHoweverOftenItIsRead) {
    load(every(4));
    load(every(4));
    load(every(4, 128));
    load(every(0, 4096));
    EXPECT_EQ(recorded().footprint_read, 9u * 32);
    EXPECT_EQ(recorded().footprint_written, 0u);
}

TEST_F(FootprintOfALaunch, KeepsReadsAndWritesApart) {
    load(every(4));
    footprint.request(request_at(stores, every(128)));
    EXPECT_EQ(recorded().footprint_read, 4u * 32);
    EXPECT_EQ(recorded().footprint_written, 32u * 32);
    EXPECT_EQ(stores.global.repeated_sectors, 0u);
}

TEST_F(FootprintOfALaunch, AtomicOperationsWrite) {
    footprint.request(request_at(additions, every(0)));
    footprint.request(request_at(tickets, every(0, 32)));
    EXPECT_EQ(recorded().footprint_written, 64u);
    EXPECT_EQ(additions.global.repeated_sectors + tickets.global.repeated_sectors, 0u);
}

TEST_F(FootprintOfALaunch, ASectorIsReloadedWhenTheSameBlockLoadsItAgain) {
    load(every(4));
    EXPECT_EQ(repeated(), 0u);
    load(every(4));
    EXPECT_EQ(repeated(), 4u);
    load(every(4, 64));  // two known sectors, two new ones
    EXPECT_EQ(repeated(), 6u);
}

TEST_F(FootprintOfALaunch, LanesOfOneRequestDoNotReloadForEachOther) {
    load([](int lane) { return lane % 2 * 4096 + lane; });
    load(every(0, 8192));
    EXPECT_EQ(repeated(), 0u);
}

TEST_F(FootprintOfALaunch, WhatWasStoredWasNotLoaded) {
    footprint.request(request_at(stores, every(4)));
    load(every(4));
    EXPECT_EQ(repeated(), 0u);
}

TEST_F(FootprintOfALaunch, BlocksLoadForThemselves) {
    footprint.block_begins(1);
    load(every(4), 0);
    load(every(4), 1);
    EXPECT_EQ(repeated(), 0u);
    load(every(4), 0);  // blocks that run side by side
    EXPECT_EQ(repeated(), 4u);
    footprint.block_ends(0);
    footprint.block_begins(2);  // takes over the memory of the one that ended
    load(every(4), 2);
    EXPECT_EQ(repeated(), 4u);
    load(every(4), 1);
    EXPECT_EQ(repeated(), 8u);
    EXPECT_EQ(recorded().footprint_read, 128u) << "the launch read them once";
}

TEST_F(FootprintOfALaunch, TheNextLaunchBeginsWithNothing) {
    load(every(4));
    footprint.launch_begins({});
    footprint.block_begins(0);
    EXPECT_EQ(recorded().footprint_read, 0u);
    load(every(4));
    EXPECT_EQ(repeated(), 0u);
    EXPECT_EQ(recorded().footprint_read, 128u);
}

TEST_F(FootprintOfALaunch, TellsHowLongAgoWhatIsLoadedAgainWasLoaded) {
    load(every(4));
    load(every(4, 4096));
    load(every(4));  // two turns later
    const Reuse reuse = recorded().reuse;
    EXPECT_EQ(reuse.requests, 3u);
    EXPECT_EQ(reuse.sectors, 12u);
    EXPECT_EQ(reuse.by_turns[reuse_class(2)], 4u);
    EXPECT_EQ(loads.global.first_sectors, 8u);
    EXPECT_EQ(loads.global.together_sectors, 0u) << "by the same warp";
    footprint.block_begins(5);
    load(every(4), 5);
    EXPECT_EQ(recorded().reuse.by_blocks[reuse_class(5)], 4u);
    EXPECT_EQ(loads.global.along_sectors, 4u) << "both blocks' first";
    load(every(4), 5);
    load(every(4), 5);
    load(every(4, 4096), 5);
    EXPECT_EQ(recorded().reuse.by_blocks[reuse_class(5)], 8u);
    EXPECT_EQ(loads.global.along_sectors, 4u) << "one block's second, the other's fourth";
}

TEST_F(FootprintOfALaunch, WarpsThatGoInStepLoadTogether) {
    load(every(4));
    Request other = request_at(loads, every(4), kAllLanes);
    other.warp = 1;
    footprint.request(other);
    EXPECT_EQ(loads.global.together_sectors, 4u);
    EXPECT_EQ(recorded().reuse.by_turns[0], 4u);
}

TEST(Reuse, ACacheKeepsWhatFitsBetweenTwoLoads) {
    // Warps that load 4 new sectors a turn, and each again after 64 turns.
    Reuse reuse{.requests = 1000, .sectors = 8000};
    reuse.by_turns[reuse_class(64)] = 4000;
    const double between = 96 * 6 * 32;  // 64 to 127 turns, 8 sectors a turn until then and 4 behind
    const auto in_l1 = [&](double bytes) { return cached_loads(reuse, {.l1_bytes = bytes, .l2_bytes = 1e9}).in_l1; };
    EXPECT_DOUBLE_EQ(in_l1(2 * between), 0.5);
    EXPECT_LT(in_l1(between / 2), 0.4);
    EXPECT_GT(in_l1(between / 2), 0.1);
    const CacheShare many{.warps = 64, .l1_bytes = 2 * between, .l2_bytes = 1e9};
    EXPECT_LT(cached_loads(reuse, many).in_l1, 0.05) << "the SM's other warps bring in theirs";
    ReuseByBlocks far{};
    far[reuse_class(1000)] = 100;
    EXPECT_EQ(lost_by_l2(far, {.l2_bytes = 1e6, .block_bytes = 100}), 0);
    EXPECT_GT(lost_by_l2(far, {.l2_bytes = 1e6, .block_bytes = 10000}), 80);
}

TEST(SectorTurns, HoldsManyAndForgetsAll) {
    SectorTurns set;
    for (std::uint64_t round = 0; round < 3; ++round) {
        for (std::uint64_t sector = 0; sector < 10'000; ++sector) EXPECT_FALSE(set.loaded(sector * 7, {}));
        for (std::uint64_t sector = 0; sector < 10'000; ++sector) EXPECT_TRUE(set.loaded(sector * 7, {}));
        set.clear();
    }
}

TEST(TouchedSectors, CountsAcrossPages) {
    TouchedSectors map;
    for (int twice = 0; twice < 2; ++twice)
        for (std::uint64_t sector = 0; sector < 20'000; ++sector) map.insert(sector * 3);
    EXPECT_EQ(map.size(), 20'000u);
    map.clear();
    EXPECT_EQ(map.size(), 0u);
    map.insert(1);
    EXPECT_EQ(map.size(), 1u);
}

TEST(TouchedSectors, CopiesAreApart) {
    TouchedSectors first;
    first.insert(1);
    TouchedSectors second = first;
    second.insert(2);
    EXPECT_FALSE(first.holds(2));
    EXPECT_TRUE(second.holds(2));
    TouchedSectors third;
    third.insert(3);
    third = first;
    third.insert(4, 6);
    EXPECT_FALSE(first.holds(4));
    EXPECT_TRUE(third.holds(1) && third.holds(5) && !third.holds(3));
}

TEST(TouchedSectors, AreEmptyWhenMovedFrom) {
    TouchedSectors first;
    first.insert(1);
    TouchedSectors second = std::move(first);
    first.clear();
    first.insert(2);
    EXPECT_FALSE(second.holds(2));
    second.insert(3);
    TouchedSectors third;
    third.insert(4);
    third = std::move(second);
    second.clear();
    second.insert(5);
    EXPECT_TRUE(third.holds(1) && third.holds(3) && !third.holds(4) && !third.holds(5));
}

}  // namespace
}  // namespace lanework
