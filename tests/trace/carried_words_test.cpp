// What a GPU holds otherwise than the traced kernels left: by address, as copies and writes leave it.
#include "src/trace/record/carried_words.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace lanework {
namespace {

/// At 100, 104 and 200.
CarriedWords three() {
    CarriedWords words;
    for (const std::uint64_t address : {100, 104, 200})
        words.add(
            {.address = address, .mine = 1, .theirs = 2, .why = static_cast<std::uint8_t>(address == 200 ? 2 : 1)});
    return words;
}
std::vector<std::uint64_t> addresses(const CarriedWords& words) {
    std::vector<std::uint64_t> all;
    for (const CarriedWord& word : words.all()) all.push_back(word.address);
    return all;
}
using Addresses = std::vector<std::uint64_t>;

TEST(CarriedWords, AreFoundByTheirBytes) {
    const CarriedWords words = three();
    EXPECT_EQ(words.why(0, 100), 0u);
    EXPECT_EQ(words.why(103, 1), 1u) << "its last byte";
    EXPECT_EQ(words.why(104, 96), 1u);
    EXPECT_EQ(words.why(104, 97), 3u);
    EXPECT_EQ(words.in(100, 8).size(), 2u);
    EXPECT_TRUE(words.in(108, 92).empty());
}

TEST(CarriedWords, AreGoneWhereSomethingElseIsWritten) {
    CarriedWords words = three();
    words.erase(104, 96);
    EXPECT_EQ(addresses(words), (Addresses{100, 200}));
    words.erase(0, 1000);
    EXPECT_TRUE(words.empty());
}

TEST(CarriedWords, AreCopiedOverThoseThatWereThere) {
    CarriedWords words = three();
    words.copy(100, 196, 8);
    EXPECT_EQ(addresses(words), (Addresses{100, 104, 196, 200}));
    EXPECT_EQ(words.why(200, 4), 1u) << "of what was copied";
    words.copy(300, 100, 200);
    EXPECT_TRUE(words.empty()) << "nobody holds anything else there";
    words = three();
    words.copy(100, 104, 8);
    EXPECT_EQ(addresses(words), (Addresses{100, 104, 108, 200})) << "ranges that overlap";
}

}  // namespace
}  // namespace lanework
