// What launches touched: words by their bits, spans of them, and their contents as they were.
#include "src/trace/record/touched_words.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "src/trace/record/users_of_memory.hpp"
#include "src/trace/record/word_values.hpp"

namespace lanework {
namespace {

using Runs = std::vector<std::pair<std::size_t, std::size_t>>;

Runs runs_of(const WordBits& bits) {
    Runs runs;
    bits.each_run([&](std::size_t first, std::size_t count) { runs.emplace_back(first, count); });
    return runs;
}

TEST(TouchedWords, RunsOfBitsGoOnOverWords) {
    WordBits bits;
    EXPECT_EQ(runs_of(bits), Runs{});
    bits.set(0, 1);
    bits.set(60, 70);
    bits.set(130, 1);
    bits.set(WordBits::kWords - 3, 3);
    EXPECT_EQ(runs_of(bits), (Runs{{0, 1}, {60, 71}, {WordBits::kWords - 3, 3}}));
    bits.set(0, WordBits::kWords);
    EXPECT_EQ(runs_of(bits), (Runs{{0, WordBits::kWords}}));
}

Site site_of(std::uint32_t id, EventKind kind, unsigned bytes) {
    Site site;
    site.id = id;
    site.kind = kind;
    site.bytes = bytes;
    return site;
}

Request request_of(Site& site, std::uint64_t address, std::uint64_t step, std::uint32_t lanes = ~std::uint32_t{0}) {
    Request request{&site, lanes, {}, 0, 0, nullptr};
    for (unsigned lane = 0; lane < kLanes; ++lane) request.address[lane] = address + lane * step;
    return request;
}

TEST(TouchedWords, AWordThatIsWrittenInPartIsReadToo) {
    TouchedWords touched;
    Site whole = site_of(0, EventKind::store, 4), part = site_of(1, EventKind::store, 1);
    touched.add(request_of(whole, TouchedPiece::kBytes * 5, 4));
    touched.add(request_of(part, TouchedPiece::kBytes * 5 + 512, 1, 0b111111));
    const auto pieces = touched.pieces();
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_EQ(runs_of(pieces[0]->written), (Runs{{0, 32}, {128, 2}}));
    EXPECT_EQ(runs_of(pieces[0]->read), (Runs{{128, 2}}));
    EXPECT_EQ(runs_of(pieces[0]->written.without(pieces[0]->read)), (Runs{{0, 32}}));
}

TEST(TouchedWords, AnAtomicOperationReadsAndWrites) {
    TouchedWords touched;
    Site site = site_of(0, EventKind::reduction, 8);
    touched.add(request_of(site, TouchedPiece::kBytes - 8, 8));
    const auto pieces = touched.pieces();
    ASSERT_EQ(pieces.size(), 2u);
    EXPECT_EQ(runs_of(pieces[0]->read & pieces[0]->written), (Runs{{WordBits::kWords - 2, 2}}));
    EXPECT_EQ(runs_of(pieces[1]->read & pieces[1]->written), (Runs{{0, 62}}));
}

bool same(const AddressSpans& one, const AddressSpans& other) {
    return std::ranges::equal(one, other, [](const AddressSpan& a, const AddressSpan& b) {
        return a.address == b.address && a.bytes == b.bytes;
    });
}

TEST(WordValues, SpansAreUnitedWhereTheyTouch) {
    EXPECT_TRUE(same(united({{0, 8}, {16, 4}}, {{4, 8}, {12, 2}, {40, 4}}), {{0, 14}, {16, 4}, {40, 4}}));
}

TEST(WordValues, HoldUntilAByteOfTheirsChanges) {
    std::vector<std::uint32_t> memory(64, 7);
    const auto base = reinterpret_cast<std::uint64_t>(memory.data());
    WordValues values({{base, 16}, {base + 64, 8}});
    EXPECT_TRUE(values.hold());
    memory[10] = 1;  // none of theirs
    EXPECT_TRUE(values.hold());
    memory[17] = 1;
    EXPECT_FALSE(values.hold());
    memory[17] = 7, memory[0] = 2;
    EXPECT_FALSE(values.hold());
    values.put_back();
    EXPECT_TRUE(values.hold());
    EXPECT_EQ(memory[0], 7u);
    EXPECT_EQ(memory[10], 1u);
}

TEST(WordValues, TakeWhatOthersHoldWholeAlone) {
    std::vector<std::uint32_t> memory(64, 7);
    const auto base = reinterpret_cast<std::uint64_t>(memory.data());
    const WordValues earlier({{base, 16}});
    memory[1] = 8;
    WordValues values({{base, 32}});
    EXPECT_TRUE(values.take_from(earlier, {{base + 4, 4}}));
    EXPECT_FALSE(values.hold());
    EXPECT_FALSE(values.take_from(earlier, {{base + 12, 8}}));
    values.put_back();
    EXPECT_EQ(memory[1], 7u);
}

TEST(UsersOfMemory, AreThoseOfTheAllocationsInTheSpanAlone) {
    UsersOfMemory<int> users;
    for (int i = 0; i < 1000; ++i) users.add({1024u + 64u * static_cast<unsigned>(i), 64}, i);
    users.add({1024, 64}, 7);
    EXPECT_EQ(users.of({1024, 64}), (std::set{0, 7}));
    EXPECT_EQ(users.of({1024 + 64 * 7 + 60, 8}), (std::set{7, 8}));
    EXPECT_EQ(users.of({512, 513}), (std::set{0, 7}));
    EXPECT_EQ(users.of({1024 + 64 * 999 + 63, 100}), (std::set{999}));
    EXPECT_EQ(users.of({0, 1024}), std::set<int>{});
    EXPECT_EQ(users.of({1024 + 64 * 1000, 64}), std::set<int>{});
    users.remove({1024, 64}, 0);
    EXPECT_EQ(users.of({1024, 64}), (std::set{7}));
    users.remove({1024, 64}, 7);
    EXPECT_EQ(users.of({1024, 64}), std::set<int>{});
}

}  // namespace
}  // namespace lanework
