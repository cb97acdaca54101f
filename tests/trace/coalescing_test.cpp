// Sectors of requests that can be counted by hand.
#include "src/trace/analyse/coalescing.hpp"

#include <gtest/gtest.h>

#include "src/trace/analyse/own_memory.hpp"
#include "tests/trace/synthetic_requests.hpp"

namespace lanework {
namespace {

GlobalCounters count(unsigned bytes, const std::function<std::int64_t(int)>& offset, std::uint32_t lanes = kAllLanes) {
    Site site = site_of(bytes);
    return count_global(request_at(site, offset, lanes));
}

TEST(Coalescing, NeighboursShareSectors) {
    const GlobalCounters words = count(4, every(4));
    EXPECT_EQ(words.requests, 1u);
    EXPECT_EQ(words.sectors, 4u);
    EXPECT_EQ(words.ideal_sectors, 4u);
    EXPECT_EQ(words.bytes, 128u);
    EXPECT_EQ(words.lines, 1u);
    EXPECT_EQ(words.lanes, 32u);
    EXPECT_EQ(words.distinct_addresses, 32u);
    EXPECT_EQ(words.most_lanes_per_address, 1u);
}

TEST(Coalescing, WidthMakesMoreSectorsOfOneRequest) {
    EXPECT_EQ(count(1, every(1)).sectors, 1u);
    EXPECT_EQ(count(2, every(2)).sectors, 2u);
    EXPECT_EQ(count(8, every(8)).sectors, 8u);
    EXPECT_EQ(count(16, every(16)).sectors, 16u);
    EXPECT_EQ(count(16, every(16)).lines, 4u);
    EXPECT_EQ(count(16, every(16)).ideal_sectors, 16u);
}

TEST(Coalescing, AMisalignedWarpTouchesAFifthSector) {
    const GlobalCounters shifted = count(4, every(4, 4));
    EXPECT_EQ(shifted.sectors, 5u);
    EXPECT_EQ(shifted.ideal_sectors, 4u);
    EXPECT_EQ(shifted.lines, 2u);
    EXPECT_EQ(count(4, every(4, 32)).sectors, 4u) << "a multiple of 32 is aligned";
    EXPECT_EQ(count(4, every(4, 32)).lines, 2u);
}

TEST(Coalescing, DistantLanesTakeASectorEach) {
    const GlobalCounters column = count(4, every(4096));
    EXPECT_EQ(column.sectors, 32u);
    EXPECT_EQ(column.ideal_sectors, 4u);
    EXPECT_EQ(column.lines, 32u);
    EXPECT_EQ(count(4, every(32)).sectors, 32u);
    EXPECT_EQ(count(4, every(16)).sectors, 16u);
    EXPECT_EQ(count(4, every(8)).sectors, 8u);
}

TEST(Coalescing, TheOrderOfLanesDoesNotMatter) {
    EXPECT_EQ(count(4, every(-4, 124)).sectors, 4u);
    EXPECT_EQ(count(4, [](int lane) { return 4 * (lane ^ 21); }).sectors, 4u);
    EXPECT_EQ(count(4, [](int lane) { return lane % 2 * 4096 + lane / 2 * 4; }).sectors, 4u);
    EXPECT_EQ(count(4, [](int lane) { return lane % 2 * 4096 + lane / 2 * 4; }).distinct_addresses, 32u);
}

TEST(Coalescing, ABroadcastIsOneSectorAndItsBytesCountOnce) {
    const GlobalCounters broadcast = count(4, every(0));
    EXPECT_EQ(broadcast.sectors, 1u);
    EXPECT_EQ(broadcast.bytes, 4u);
    EXPECT_EQ(broadcast.ideal_sectors, 1u);
    EXPECT_EQ(broadcast.distinct_addresses, 1u);
    EXPECT_EQ(broadcast.most_lanes_per_address, 32u);
    EXPECT_EQ(broadcast.lanes, 32u);
}

TEST(Coalescing, DuplicatesAreFoundInAnyOrder) {
    const GlobalCounters pairs = count(4, [](int lane) { return 4 * (lane % 16); });
    EXPECT_EQ(pairs.sectors, 2u);
    EXPECT_EQ(pairs.bytes, 64u);
    EXPECT_EQ(pairs.distinct_addresses, 16u);
    EXPECT_EQ(pairs.most_lanes_per_address, 2u);
    const GlobalCounters uneven = count(4, [](int lane) { return lane % 4 == 0 ? 0 : 4 * lane; });
    EXPECT_EQ(uneven.distinct_addresses, 25u);
    EXPECT_EQ(uneven.most_lanes_per_address, 8u);
}

TEST(Coalescing, LanesOfAnAtomicThatNameOneAddressAreServedOneAfterTheOther) {
    const auto served = [](EventKind kind, auto place) {
        Site site = site_of(4, kind, Space::global);
        return count_global(request_at(site, place));
    };
    for (const EventKind kind : {EventKind::atomic, EventKind::reduction}) {
        const GlobalCounters one = served(kind, every(0));
        EXPECT_EQ(one.sectors, 1u);
        EXPECT_EQ(one.served_sectors, 32u);
        EXPECT_EQ(one.unclear, 0u);
        const GlobalCounters apart = served(kind, [](int lane) { return 32 * (lane % 4); });
        EXPECT_EQ(apart.served_sectors, 32u) << "eight lanes in each of four sectors";
        EXPECT_EQ(apart.unclear, 0u);
        const GlobalCounters mixed = served(kind, [](int lane) { return 4 * (lane % 4); });
        EXPECT_EQ(mixed.served_sectors, 8u);
        EXPECT_EQ(mixed.unclear, 1u);
    }
    const GlobalCounters side_by_side = served(EventKind::reduction, every(4));
    EXPECT_EQ(side_by_side.served_sectors, 4u);
    EXPECT_EQ(side_by_side.unclear, 0u);
    EXPECT_EQ(served(EventKind::atomic, every(4)).unclear, 1u);
    EXPECT_EQ(served(EventKind::load, every(0)).served_sectors, 0u);
}

TEST(Coalescing, AnAccessAcrossABoundaryTouchesBothSectors) {
    EXPECT_EQ(count(8, every(0, 28), 1u).sectors, 2u);
    EXPECT_EQ(count(8, every(0, 28), 1u).ideal_sectors, 1u);
    EXPECT_EQ(count(8, every(0, 28), 1u).lines, 1u);
    EXPECT_EQ(count(16, every(0, 120), 1u).lines, 2u);
    // 3 bytes apart, 4 bytes wide: lanes overlap, and 97 bytes are wanted.
    EXPECT_EQ(count(4, every(3)).bytes, 97u);
    EXPECT_EQ(count(4, every(3)).sectors, 4u);
    EXPECT_EQ(count(4, every(3)).ideal_sectors, 4u);
}

TEST(Coalescing, OnlyLanesThatTakePartCount) {
    EXPECT_EQ(count(4, every(4), 0x0000ffffu).sectors, 2u);
    EXPECT_EQ(count(4, every(4), 0x0000ffffu).lanes, 16u);
    EXPECT_EQ(count(4, every(4), 0x80000001u).sectors, 2u);
    EXPECT_EQ(count(4, every(4), 0x80000001u).ideal_sectors, 1u);
    EXPECT_EQ(count(4, every(4096), 1u << 31).sectors, 1u);
}

TEST(Coalescing, ASiteAddsItsRequestsUpAndKeepsTheWorst) {
    WorstRequests worst;
    Coalescing coalescing(worst);
    Site site = site_of(4, EventKind::load, Space::global, 3);
    coalescing.request(request_at(site, every(4)));
    coalescing.request(request_at(site, every(128)));
    coalescing.request(request_at(site, every(0)));
    EXPECT_EQ(site.global.requests, 3u);
    EXPECT_EQ(site.global.sectors, 4u + 32u + 1u);
    EXPECT_EQ(site.global.ideal_sectors, 4u + 4u + 1u);
    EXPECT_EQ(site.global.most_lanes_per_address, 32u) << "the most of one request, not a sum";
    ASSERT_TRUE(worst.of(site));
    EXPECT_EQ(worst.of(site)->address[1], kBase + 128);
    EXPECT_FALSE(worst.of(site_of(4, EventKind::load, Space::global, 2)));
    EXPECT_FALSE(worst.of(site_of(4, EventKind::load, Space::global, 4)));
}

TEST(Coalescing, OfEquallyBadRequestsTheFullerIsKept) {
    WorstRequests worst;
    Site site = site_of(4);
    worst.offer(request_at(site, every(8), 0xffu), 2);
    worst.offer(request_at(site, every(4)), 2);
    worst.offer(request_at(site, every(12), 0xffffu), 2);
    EXPECT_EQ(worst.of(site)->lanes, kAllLanes);
    EXPECT_EQ(worst.of(site)->address[1], kBase + 4);
}

TEST(ConstantMemory, TakesAPassForEachAddress) {
    OwnMemory analyser;
    Site site = site_of(4, EventKind::load, Space::constant);
    analyser.request(request_at(site, every(0)));
    analyser.request(request_at(site, [](int lane) { return lane % 8 * 4; }));
    EXPECT_EQ(site.constant.requests, 2u);
    EXPECT_EQ(site.constant.distinct_addresses, 9u);
    EXPECT_EQ(site.global.requests, 0u);
}

TEST(LocalMemory, CountsRequestsAndLanes) {
    OwnMemory analyser;
    Site site = site_of(4, EventKind::store, Space::local);
    analyser.request(request_at(site, every(64), 0xfu));
    analyser.request(request_at(site, every(64)));
    EXPECT_EQ(site.local.requests, 2u);
    EXPECT_EQ(site.local.lanes, 36u);
}

}  // namespace
}  // namespace lanework
