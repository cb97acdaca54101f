// The layouts: each holds the table once, and asks as many words of one bank as its name says. And the hash through
// which the words go: it notices every word.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "ops/banks/layouts.hpp"
#include "tests/ops/unaligned.hpp"

namespace lanework {
namespace {

constexpr unsigned kBanks = 32;

/// Where all words of the table lie.
template <class Layout>
std::set<unsigned> places() {
    std::set<unsigned> result;
    for (unsigned r = 0; r < kRows; ++r)
        for (unsigned w = 0; w < kWords; ++w) result.insert(Layout::row(r) + Layout::word(w));
    return result;
}

/// Wavefronts of a warp whose lane r reads word w of row r: the most different words that it wants of one bank.
template <class Layout>
int wavefronts(unsigned w) {
    std::array<int, kBanks> wanted{};
    for (unsigned lane = 0; lane < kRows; ++lane) ++wanted[(Layout::row(lane) + Layout::word(w)) % kBanks];
    return *std::max_element(wanted.begin(), wanted.end());
}

template <class Layout>
void expect_layout(int expected) {
    EXPECT_EQ(places<Layout>().size(), std::size_t{kTableWords});
    EXPECT_LT(*places<Layout>().rbegin(), Layout::words);
    for (unsigned w = 0; w < kWords; ++w) EXPECT_EQ(wavefronts<Layout>(w), expected) << "word " << w;
}

TEST(Banks, AStrideOfAPowerOfTwoTakesThatManyWavefronts) {
    expect_layout<Strided<1>>(1);
    expect_layout<Strided<2>>(2);
    expect_layout<Strided<4>>(4);
    expect_layout<Strided<8>>(8);
    expect_layout<Strided<16>>(16);
    expect_layout<Strided<32>>(32);
}

TEST(Banks, AWordOfPaddingLeavesOneWavefront) { expect_layout<Padded>(1); }

/// B[0] after one sweep through a table on each rung of a device.
std::vector<std::int32_t> first_elements(Device& device, const std::vector<std::int32_t>& table) {
    std::vector<std::int32_t> result;
    const ShiftedArray in{table}, out{std::vector<std::int32_t>(1)};
    for (const Rung* rung : ladder(find_operation("banks"), device.info().kind))
        result.push_back(run_shifted(device, *rung, {extents(1, 1), DType::int32}, {in, out})[1][out.start()]);
    return result;
}

TEST(Banks, EveryRungReadsEveryWordOfTheTable) {
    for (const auto& device : devices_here()) {
        std::vector<std::int32_t> table(kTableWords, 17);
        const auto before = first_elements(*device, table);
        for (std::size_t word = 0; word < kTableWords; word += 31) {
            table[word] ^= 1 << 20;
            const auto changed = first_elements(*device, table);
            for (std::size_t rung = 0; rung < before.size(); ++rung)
                EXPECT_NE(changed[rung], before[rung]) << device->info().id << " rung " << rung << " word " << word;
            table[word] ^= 1 << 20;
        }
    }
}

}  // namespace
}  // namespace lanework
