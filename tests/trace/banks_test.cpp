// Passes over the banks of shared memory, for patterns whose answer is known.
#include "src/trace/analyse/banks.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "tests/trace/synthetic_requests.hpp"

namespace lanework {
namespace {

SharedCounters count(unsigned bytes, const std::function<std::int64_t(int)>& offset, std::uint32_t lanes = kAllLanes,
                     EventKind kind = EventKind::load) {
    Site site = site_of(bytes, kind, Space::shared);
    return count_shared(request_at(site, offset, lanes));
}

TEST(Banks, AStrideIsAsManyWaysAsItsCommonDivisorWithTheBanks) {
    for (int stride = 1; stride <= 64; ++stride) {
        const SharedCounters counted = count(4, every(4 * stride));
        EXPECT_EQ(counted.wavefronts, static_cast<unsigned>(std::gcd(stride, 32))) << stride;
        EXPECT_EQ(counted.ideal_wavefronts, 1u) << stride;
    }
}

TEST(Banks, NoPaddingCollidesAndOneWordMendsIt) {
    EXPECT_EQ(count(4, every(4 * 32)).conflicts(), 31u);
    EXPECT_EQ(count(4, every(4 * 33)).conflicts(), 0u);
}

TEST(Banks, TheSameWordIsServedToAllAtOnce) {
    EXPECT_EQ(count(4, every(0)).wavefronts, 1u);
    EXPECT_EQ(count(4, [](int lane) { return lane % 2 * 4; }).wavefronts, 1u);
    EXPECT_EQ(count(4, [](int lane) { return lane / 16 * 128; }).wavefronts, 2u) << "two words of one bank";
    EXPECT_EQ(count(4, [](int lane) { return lane % 2 * 128; }).wavefronts, 2u);
    EXPECT_EQ(count(1, every(1)).wavefronts, 1u) << "four bytes of a word";
    EXPECT_EQ(count(1, every(128)).wavefronts, 32u);
    EXPECT_EQ(count(2, every(2)).wavefronts, 1u);
}

TEST(Banks, EightBytesGoInTwoHalfWarps) {
    const SharedCounters pairs = count(8, every(8));
    EXPECT_EQ(pairs.wavefronts, 2u);
    EXPECT_EQ(pairs.ideal_wavefronts, 2u);
    EXPECT_EQ(count(8, every(16)).wavefronts, 4u);
    // Lanes 0 and 16 share banks but are not served together.
    EXPECT_EQ(count(8, [](int lane) { return lane % 16 * 8 + lane / 16 * 128; }).wavefronts, 2u);
    EXPECT_EQ(count(8, every(8), 0x0000ffffu).wavefronts, 1u);
    EXPECT_EQ(count(8, every(8), 0x0000ffffu).ideal_wavefronts, 1u);
}

TEST(Banks, HalvesWhoseNeighboursAgreeGoTogether) {
    EXPECT_EQ(count(8, every(0)).wavefronts, 1u);
    EXPECT_EQ(count(8, [](int lane) { return lane / 2 * 8; }).wavefronts, 1u) << "one word of a bank for each pair";
    EXPECT_EQ(count(16, every(0)).wavefronts, 2u) << "the halves of a warp never do for 16 bytes";
    EXPECT_EQ(count(16, [](int lane) { return lane / 8 * 16; }).wavefronts, 2u);
    EXPECT_EQ(count(16, [](int lane) { return lane % 8 * 16; }).wavefronts, 4u);
}

// As an H200 counted the exchanges of nms/bitmask's bitonic network.
TEST(Banks, HalvesOfAWarpThatStoresEightBytesStayApart) {
    constexpr std::uint32_t kLanes14To16 = 0x0001c000u;
    const SharedCounters loads = count(8, every(8), kLanes14To16 & ~0x8000u);
    EXPECT_EQ(loads.wavefronts, 1u);
    const SharedCounters stores = count(8, every(8), kLanes14To16, EventKind::store);
    EXPECT_EQ(stores.wavefronts, 2u);
    EXPECT_EQ(stores.ideal_wavefronts, 1u) << "six words";
    EXPECT_EQ(stores.conflicts(), 0u) << "each half takes one pass";
    const SharedCounters even = count(8, every(8), 0x55555555u, EventKind::store);
    EXPECT_EQ(even.wavefronts, 2u);
    EXPECT_EQ(even.conflicts(), 0u);
    // As an H100 counted Parboil's cutcp.
    const SharedCounters alike = count(8, every(0), kAllLanes, EventKind::store);
    EXPECT_EQ(alike.ideal_wavefronts, 2u) << "each lane brings its bytes";
    EXPECT_EQ(alike.conflicts(), 0u);
    const SharedCounters rows = count(8, every(16), kAllLanes, EventKind::store);
    EXPECT_EQ(rows.wavefronts, 4u);
    EXPECT_EQ(rows.conflicts(), 2u);
}

TEST(Banks, LanesOfAnAtomicThatNameOneWordAreKnown) {
    EXPECT_EQ(count(4, every(0), kAllLanes, EventKind::atomic).most_lanes_per_address, 32u);
    EXPECT_EQ(count(
                  4, [](int lane) { return lane / 2 * 4; }, kAllLanes, EventKind::atomic)
                  .most_lanes_per_address,
              2u);
    EXPECT_EQ(count(4, every(4), kAllLanes, EventKind::atomic).most_lanes_per_address, 1u);
}

TEST(Banks, SixteenBytesGoInFourGroups) {
    const SharedCounters quads = count(16, every(16));
    EXPECT_EQ(quads.wavefronts, 4u);
    EXPECT_EQ(quads.ideal_wavefronts, 4u);
    EXPECT_EQ(count(16, every(32)).wavefronts, 8u);
    EXPECT_EQ(count(16, every(16 + 128)).wavefronts, 4u) << "a row of 36 words";
    EXPECT_EQ(count(16, every(128)).wavefronts, 32u);
    EXPECT_EQ(count(16, every(16), 0x00010001u).ideal_wavefronts, 2u) << "lanes of two groups";
    EXPECT_EQ(count(16, every(16), 0x00000003u).ideal_wavefronts, 1u);
}

TEST(Banks, WideLoadsOfAPartOfAWarpAreUnclearWhereTheirGroupsMatter) {
    EXPECT_EQ(count(16, every(16), 0x1u).unclear, 0u) << "one lane, one pass";
    EXPECT_EQ(count(16, every(16), 0xffffu).unclear, 0u) << "two passes, by their width alone";
    EXPECT_EQ(count(8, every(8), 0xffffu).unclear, 0u);
    EXPECT_EQ(count(8, every(8), 0x00010001u).unclear, 1u) << "one pass, or one for each half";
    EXPECT_EQ(count(16, every(0), 0xffffu).unclear, 1u);
    EXPECT_EQ(count(16, every(128), 0xffffu).unclear, 0u) << "all in the same banks";
    EXPECT_EQ(count(16, every(0)).unclear, 0u) << "whole warps were counted on a GPU";
    EXPECT_EQ(count(4, every(0), 0xffffu).unclear, 0u);
    EXPECT_EQ(count(8, every(8), 0x00010001u, EventKind::store).unclear, 0u);
}

// Each load of the file: the passes that a GPU took, and what Nsight Compute said wherever that is called known.
TEST(Banks, LoadsOf16BytesTakeThePassesThatAGpuTook) {
    std::ifstream file(std::string(LANEWORK_SOURCE_DIR) + "/results/h200/shared-loads-of-16-bytes.csv");
    ASSERT_TRUE(file);
    unsigned rows = 0, known = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#') || line.starts_with("lanes")) continue;
        std::istringstream words(line);
        std::string lanes, units, passes, said;
        std::getline(std::getline(std::getline(std::getline(words, lanes, ','), units, ','), passes, ','), said, ',');
        std::istringstream of_lanes(units);
        std::vector<int> address;
        for (std::string unit; of_lanes >> unit;) address.push_back(unit == "-" ? 0 : 16 * std::stoi(unit));
        ASSERT_EQ(address.size(), 32u) << line;
        const SharedCounters counted = count(
            16, [&](int lane) { return address[static_cast<std::size_t>(lane)]; },
            static_cast<std::uint32_t>(std::stoul(lanes, nullptr, 16)));
        EXPECT_EQ(counted.wavefronts, std::stoul(passes)) << line;
        ++rows;
        if (counted.unclear != 0) continue;
        ++known;
        EXPECT_EQ(counted.wavefronts, std::stoul(said)) << line;
    }
    EXPECT_EQ(rows, 672u);
    EXPECT_GE(known, 200u) << "where groups do not matter, and where lanes share no address";
}

TEST(Banks, WideAccessesOfLanesThatShareAddressesGoTogether) {
    EXPECT_EQ(count(8, every(0)).wavefronts, 1u);
    EXPECT_EQ(count(8, [](int lane) { return lane / 2 * 8; }).wavefronts, 1u) << "a lane and its neighbour";
    EXPECT_EQ(count(8, [](int lane) { return (lane / 4 * 2 + lane % 2) * 8; }).wavefronts, 1u) << "the one after it";
    EXPECT_EQ(count(8, [](int lane) { return lane % 16 * 8; }).wavefronts, 2u) << "lanes that are far apart";
    EXPECT_EQ(count(16, every(0)).wavefronts, 2u) << "halves stay apart";
    EXPECT_EQ(count(16, [](int lane) { return lane / 2 * 16; }).wavefronts, 2u);
}

TEST(Banks, RowsOf17WordsMakeATileOf16Collide) {
    // Half a warp on each row: words 0 … 15 and 17 … 32, of which 0 and 32 share a bank.
    EXPECT_EQ(count(4, [](int lane) { return 4 * (lane / 16 * 17 + lane % 16); }).wavefronts, 2u);
    // Down the columns: words 17·i and 17·i + 1.
    EXPECT_EQ(count(4, [](int lane) { return 4 * (lane / 16 + lane % 16 * 17); }).wavefronts, 2u);
    // Without lane 31 nobody wants word 32.
    EXPECT_EQ(count(
                  4, [](int lane) { return 4 * (lane / 16 * 17 + lane % 16); }, 0x7fffffffu)
                  .wavefronts,
              1u);
    // Rows of 16 words: a column takes every other 16th word, both columns the same banks but one.
    EXPECT_EQ(count(4, [](int lane) { return 4 * (lane / 16 + lane % 16 * 16); }).wavefronts, 8u);
}

TEST(Banks, LanesThatTakeNoPartWantNothing) {
    const SharedCounters one = count(4, every(128), 1u << 9);
    EXPECT_EQ(one.wavefronts, 1u);
    EXPECT_EQ(one.lanes, 1u);
    EXPECT_EQ(count(4, every(128), 0x0f0fu).wavefronts, 8u);
    EXPECT_EQ(count(4, every(128), 0x0f0fu).lanes, 8u);
}

TEST(Banks, ASiteAddsItsRequestsUpAndKeepsTheWorst) {
    WorstRequests worst;
    Banks banks(worst);
    Site site = site_of(4, EventKind::store, Space::shared);
    banks.request(request_at(site, every(4)));
    banks.request(request_at(site, every(64)));
    banks.request(request_at(site, every(8)));
    EXPECT_EQ(site.shared.requests, 3u);
    EXPECT_EQ(site.shared.wavefronts, 1u + 16u + 2u);
    EXPECT_EQ(site.shared.conflicts(), 16u);
    EXPECT_EQ(site.shared.most_wavefronts, 16u);
    EXPECT_EQ(worst.of(site)->address[1], kBase + 64);
}

}  // namespace
}  // namespace lanework
