// Which memory a launch touched, and what a block loaded again.
#include "src/trace/analyse/footprint.hpp"
#include "src/trace/analyse/explanation.hpp"

#include <gtest/gtest.h>

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

TEST(SectorSet, HoldsManyAndForgetsAll) {
    SectorSet set;
    for (std::uint64_t round = 0; round < 3; ++round) {
        for (std::uint64_t sector = 0; sector < 10'000; ++sector) EXPECT_TRUE(set.insert(sector * 7));
        for (std::uint64_t sector = 0; sector < 10'000; ++sector) EXPECT_FALSE(set.insert(sector * 7));
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

}  // namespace
}  // namespace lanework
