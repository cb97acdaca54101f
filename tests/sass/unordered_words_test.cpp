// Words that threads access in no order, from the accesses of one run, in whatever order it had them.
#include "src/gpu/sass/unordered_words.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace lanework::machine {
namespace {

/// A few words of global memory that blocks access, each by one thread.
class Words {
public:
    void load(std::uint64_t block, unsigned word = 0) { order_.load(false, at(word), 4, by(block)); }
    void store(std::uint64_t block, int value, unsigned word = 0) {
        order_.store(false, at(word), 4, by(block), &words_[word], &value);
        words_[word] = value;
    }
    void add(std::uint64_t block, int value, unsigned word = 0) {
        const int sum = words_[word] + value;
        order_.update(false, at(word), 4, by(block), &words_[word], &sum);
        words_[word] = sum;
    }
    bool in_order() const { return unordered_.empty(); }

private:
    static std::uint64_t at(unsigned word) { return 4096 + 4 * std::uint64_t{word}; }
    Accessor by(std::uint64_t block) { return {.block = block, .warp = 0, .epoch = 0, .instruction = ++instruction_}; }

    UnorderedWords unordered_;
    AccessOrder order_{unordered_};
    int words_[64] = {};
    std::uint64_t instruction_ = 0;
};

TEST(UnorderedWords, AreThoseThatOneBlockChangesAndAnotherOneReads) {
    for (const bool reads_first : {false, true}) {
        Words words;
        if (reads_first) words.load(1);
        words.store(0, 1);
        if (!reads_first) words.load(1);
        EXPECT_FALSE(words.in_order()) << reads_first;
    }
    Words apart;
    apart.store(0, 1, 0), apart.load(1, 1), apart.store(0, 2, 0), apart.load(0, 0);
    EXPECT_TRUE(apart.in_order());
}

TEST(UnorderedWords, AreThoseThatAreStoredAsTheyWereAndChangedInBetween) {
    for (const bool silent_first : {false, true}) {
        Words words;
        if (silent_first) words.store(1, 0);
        words.store(0, 1), words.load(0), words.store(0, 0);
        if (!silent_first) words.store(1, 0);
        EXPECT_FALSE(words.in_order()) << silent_first;
    }
    Words agreed;
    agreed.store(0, 1), agreed.store(1, 1), agreed.store(2, 1);
    EXPECT_TRUE(agreed.in_order()) << "all leave the same, and nobody reads it";
}

TEST(UnorderedWords, AreThoseThatAtomicsAndPlainStoresShare) {
    for (const int added : {0, 1})
        for (const bool stores_first : {false, true}) {
            Words words;
            if (stores_first) words.store(0, 1);
            words.add(1, added);
            if (!stores_first) words.store(0, 1);
            EXPECT_FALSE(words.in_order()) << added << ", the store first: " << stores_first;
        }
    Words counted;
    counted.add(0, 1), counted.add(1, 1), counted.add(2, 0);
    EXPECT_TRUE(counted.in_order()) << "what atomics draw is looked after elsewhere";
}

TEST(UnorderedWords, AreFoundAmongNeighboursThatOneWarpHadAlone) {
    Words words;
    for (unsigned i = 0; i < 40; ++i) words.store(0, 7, i);
    words.store(1, 7, 3);  // agrees
    words.load(0, 5);
    EXPECT_TRUE(words.in_order());
    words.load(1, 5);
    EXPECT_FALSE(words.in_order());
}

}  // namespace
}  // namespace lanework::machine
