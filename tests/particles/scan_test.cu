// Sums of all elements before each, over more parts than a block looks back upon at once, in any order of the blocks.
#include <gtest/gtest.h>

#include <algorithm>
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

/// The groups of the first buckets, and how many atoms those have.
std::vector<AtomRange> groups_of(const std::vector<std::int32_t>& counts, std::int64_t buckets, std::int32_t& atoms) {
    std::vector<AtomRange> groups;
    atoms = 0;
    for (std::int64_t k = 0; k < buckets; ++k) {
        const std::int32_t end = atoms + counts[static_cast<std::size_t>(k)];
        for (; atoms < end; atoms = groups.back().end)
            groups.push_back({atoms, std::min(atoms + kTogether, end), static_cast<std::uint32_t>(k)});
    }
    return groups;
}

void expect_groups(const std::vector<AtomRange>& found, const std::vector<AtomRange>& expected) {
    for (std::size_t g = 0; g < expected.size(); ++g)
        ASSERT_TRUE(found[g].first == expected[g].first && found[g].end == expected[g].end &&
                    found[g].bucket == expected[g].bucket)
            << "group " << g;
}

TEST_P(Scan, DividesBucketsIntoGroups) {
    const std::int64_t length = GetParam();
    std::vector<std::int32_t> starts = random_counts(length);
    std::int32_t atoms;
    const std::vector<AtomRange> expected = groups_of(starts, length, atoms);
    std::vector<AtomRange> groups(expected.size());
    std::vector<unsigned long long> board = empty_board(length);
    DeviceCounters counters{};
    scan(BucketPlaces{starts.data(), length, groups.data(), &counters}, board.data(), nullptr);
    ASSERT_EQ(counters.groups, std::ssize(expected));
    EXPECT_EQ(starts.back(), atoms);
    expect_groups(groups, expected);
}

TEST_P(Scan, EndsBehindTheCellsOfTheOnlySystem) {
    const std::int64_t length = GetParam(), cells = length / 3;
    std::vector<std::int32_t> starts = random_counts(length);
    std::int32_t atoms;
    const std::vector<AtomRange> expected = groups_of(starts, cells, atoms);
    std::vector<AtomRange> groups(static_cast<std::size_t>(length));
    std::vector<unsigned long long> board = empty_board(length);
    DeviceCounters counters{};
    DeviceSystem only{};
    only.valid = true;
    only.grid.cells[0] = cells;
    only.grid.cells[1] = only.grid.cells[2] = 1;
    scan(BucketPlaces{starts.data(), length, groups.data(), &counters, &only}, board.data(), nullptr);
    ASSERT_EQ(counters.groups, std::ssize(expected));
    EXPECT_EQ(starts[static_cast<std::size_t>(cells)], atoms);
    expect_groups(groups, expected);
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
