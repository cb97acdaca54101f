// What makes warps wait for each other is counted: turns at one address, sectors of one region, barriers, meetings.
#include "src/trace/analyse/pace.hpp"

#include <gtest/gtest.h>

#include "synthetic_requests.hpp"

namespace lanework {
namespace {

TEST(Pace, CountsTheTurnsAndSectorsOfTheBusiestRegion) {
    Site atomic = site_of(4, EventKind::atomic);
    PaceAnalyser analyser;
    analyser.launch_begins({});
    analyser.request(request_at(atomic, every(0)));   // one address: 32 turns, a sector
    analyser.request(request_at(atomic, every(32)));  // a sector for each lane, 16 of them in the first 512 bytes
    const LaunchPace pace = analyser.pace();
    EXPECT_EQ(pace.hottest_turns, 32u + 1u);
    EXPECT_EQ(pace.hottest_sectors, 1u + 16u);
    EXPECT_EQ(pace.shared_collisions, 0u);
}

TEST(Pace, CountsAtomicOperationsForABlockAloneApart) {
    Site atomic = site_of(4, EventKind::atomic);
    atomic.block_scope = true;
    PaceAnalyser analyser;
    analyser.launch_begins({});
    analyser.request(request_at(atomic, every(0)));
    analyser.request(request_at(atomic, [](int lane) { return 4096 * (lane / 8); }));
    EXPECT_EQ(analyser.pace().block_requests, 2u);
    EXPECT_EQ(analyser.pace().block_turns, 32u + 8u);
    EXPECT_EQ(analyser.pace().hottest_turns, 0u);
}

TEST(Pace, CountsNoPlainAccesses) {
    Site load = site_of(4);
    PaceAnalyser analyser;
    analyser.launch_begins({});
    analyser.request(request_at(load, every(0)));
    EXPECT_EQ(analyser.pace().hottest_turns, 0u);
}

TEST(Pace, CountsLanesThatAnotherComesBeforeInSharedMemory) {
    Site atomic = site_of(4, EventKind::atomic, Space::shared);
    PaceAnalyser analyser;
    analyser.launch_begins({});
    analyser.request(request_at(atomic, [](int lane) { return 4 * (lane / 2); }));
    EXPECT_EQ(analyser.pace().shared_collisions, 16u);
    EXPECT_EQ(analyser.pace().hottest_turns, 0u);
}

TEST(Pace, CountsTheTurnsThatLanesAtOneAddressAddToTheBusiestBank) {
    Site atomic = site_of(4, EventKind::atomic, Space::shared);
    PaceAnalyser analyser;
    analyser.launch_begins({});
    analyser.request(request_at(atomic, [](int lane) { return 128 * lane; }));  // one bank, 32 words: its own passes
    EXPECT_EQ(analyser.pace().shared_turns, 0u);
    analyser.request(request_at(atomic, every(0)));
    EXPECT_EQ(analyser.pace().shared_turns, 31u);
    analyser.request(request_at(atomic, [](int lane) { return 4 * (lane / 8); }));  // 4 banks at a time
    EXPECT_EQ(analyser.pace().shared_turns, 31u + 7u);
}

TEST(Pace, CountsTheLanesOfTheBusiestWordOfEachBlock) {
    Site atomic = site_of(4, EventKind::atomic, Space::shared);
    PaceAnalyser analyser;
    analyser.launch_begins({});
    Request request = request_at(atomic, [](int lane) { return lane < 20 ? 0 : 4; });
    analyser.request(request);
    request.warp = 1;
    analyser.request(request);
    analyser.block_ends(request.block);
    request.block += 1;
    analyser.request(request);
    analyser.block_ends(request.block);
    EXPECT_EQ(analyser.pace().busiest_words, 40u + 20u);
    EXPECT_EQ(analyser.pace().shared_same, 3 * 20u);
}

TEST(Pace, CountsBarriersAndMeetingsOfALaunch) {
    PaceAnalyser analyser;
    analyser.launch_begins({});
    analyser.barrier(0);
    analyser.barrier(1);
    analyser.meeting({.site = nullptr, .lanes = kAllLanes, .block = 0, .warp = 0});
    EXPECT_EQ(analyser.pace().barriers, 2u);
    EXPECT_EQ(analyser.pace().meetings, 1u);
    analyser.launch_begins({});
    EXPECT_EQ(analyser.pace().barriers, 0u);
}

}  // namespace
}  // namespace lanework
