// Sums of all elements before each, over more parts than a block looks back upon at once, in any order of the blocks.
#include <gtest/gtest.h>

#include <lanework_simt/schedule.hpp>
#include <random>
#include <vector>

#include "src/particles/device/sorting.hpp"

namespace lanework {
namespace {

std::vector<std::int32_t> random_counts(std::int64_t length) {
    std::mt19937 random(static_cast<unsigned>(length));
    std::vector<std::int32_t> counts(static_cast<std::size_t>(length) + 1, -1);  // what is behind the last is no count
    for (std::int64_t k = 0; k < length; ++k) counts[static_cast<std::size_t>(k)] = static_cast<int>(random() % 40);
    return counts;
}

std::vector<unsigned long long> empty_board(std::int64_t length) {
    return std::vector<unsigned long long>(static_cast<std::size_t>(scan_words(length)), 0);
}

class Scan : public testing::TestWithParam<std::int64_t> {
protected:
    void SetUp() override { lanework_simt::set_schedule(5); }  // blocks begin in a drawn order
    void TearDown() override { lanework_simt::set_schedule(0); }
};

TEST_P(Scan, TurnsCountsIntoPlaces) {
    const std::int64_t length = GetParam();
    std::vector<std::int32_t> counts = random_counts(length);
    std::vector<std::int32_t> places(counts.size(), 0);
    for (std::size_t k = 1; k < counts.size(); ++k) places[k] = places[k - 1] + counts[k - 1];
    std::vector<unsigned long long> board = empty_board(length);
    std::uint64_t total = 0;
    scan(Places<std::int32_t>{counts.data(), length, &total}, board.data(), nullptr);
    EXPECT_EQ(counts, places);
    EXPECT_EQ(total, static_cast<std::uint64_t>(places.back()));
}

TEST_P(Scan, DividesBucketsIntoGroups) {
    const std::int64_t length = GetParam();
    std::vector<std::int32_t> starts = random_counts(length);
    std::vector<AtomRange> expected;
    std::int32_t atoms = 0;
    for (std::int64_t k = 0; k < length; ++k) {
        const std::int32_t end = atoms + starts[static_cast<std::size_t>(k)];
        for (; atoms < end; atoms = expected.back().end) expected.push_back({atoms, std::min(atoms + kTogether, end)});
    }
    std::vector<AtomRange> groups(expected.size());
    std::vector<unsigned long long> board = empty_board(length);
    DeviceCounters counters{};
    scan(BucketPlaces{starts.data(), length, groups.data(), &counters}, board.data(), nullptr);
    ASSERT_EQ(counters.groups, std::ssize(expected));
    EXPECT_EQ(starts.back(), atoms);
    for (std::size_t g = 0; g < groups.size(); ++g)
        ASSERT_TRUE(groups[g].first == expected[g].first && groups[g].end == expected[g].end) << "group " << g;
}

__global__ void look_back_from(unsigned long long* announced, std::int64_t part, std::int64_t own,
                               std::int64_t* before) {
    const std::int64_t found = look_back(announced, part, own, static_cast<int>(threadIdx.x));
    if (threadIdx.x == 0) *before = found;
}

TEST(LookBack, AddsUpThePartsBehindTheNearestThatKnowsAll) {
    constexpr std::int64_t kPart = 300, kOwn = 1000;
    for (const std::int64_t knows : {0, 3, 171, 172, 267, 268, 299}) {
        std::vector<unsigned long long> announced(kPart + 1, 0);
        std::int64_t expected = 50'000'000'000;  // up to the end of the part that knows
        for (std::int64_t part = 0; part < kPart; ++part)
            announced[static_cast<std::size_t>(part)] = PartSum::kOfPart | static_cast<unsigned long long>(part + 1);
        announced[static_cast<std::size_t>(knows)] = PartSum::kOfAll | static_cast<unsigned long long>(expected);
        for (std::int64_t part = knows + 1; part < kPart; ++part) expected += part + 1;
        std::int64_t before = 0;
        look_back_from<<<1, kWarp>>>(announced.data(), kPart, kOwn, &before);
        EXPECT_EQ(before, expected) << "part " << knows << " knows";
        EXPECT_EQ(announced.back(), PartSum::kOfAll | static_cast<unsigned long long>(expected + kOwn));
    }
}

INSTANTIATE_TEST_SUITE_P(Lengths, Scan,
                         testing::Values(0, 1, kScanPart - 1, kScanPart, 3 * kScanPart, 150 * kScanPart));

}  // namespace
}  // namespace lanework
