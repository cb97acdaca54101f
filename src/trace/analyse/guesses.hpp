// Guesses: plain reads of a word that other threads compare-and-swap. By the letter of the memory model that is a race.
// It does no harm where what was read is only what the reader's own compare-and-swap expects: it is compared with what
// is there, and a stale value costs one more round. So it is one when the reader's next access of the word is another.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "src/trace/analyse/conflict.hpp"

namespace lanework {

/// The bytes that a thread accesses of a word, one bit each.
struct WordAccess {
    ThreadId thread;
    /// Of the word.
    std::uint64_t address;
    std::uint64_t bytes;
};

/// The conflicts of reads whose thread did not come back to the word yet. A loop opens one for each of its reads and
/// closes it at once: nothing is allocated for it.
class Guesses {
public:
    using Take = std::function<void(const Conflict&)>;

    bool empty() const { return count_ == 0; }
    /// Whether there may be one of these bytes of memory.
    bool touch(std::uint64_t low, std::uint64_t high) const { return low < high_ && low_ < high; }
    void open(const WordAccess& read, const Conflict& conflict);
    /// The thread comes back to the word: to those that its access does not vouch for `take` is called.
    void come_back(const WordAccess& access, bool compares, const Take& take);
    /// The threads of the block do not come back.
    void block_ends(std::uint64_t block, const Take& take);
    void launch_ends(const Take& take);

private:
    static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

    /// No bytes: a place of the table that is free.
    struct Guess {
        WordAccess read{.thread = {}, .address = 0, .bytes = 0};
        /// Tells which was opened first.
        std::uint64_t number = 0;
        std::uint32_t first = kNobody;
    };
    /// One for each pair of sites.
    struct Kept {
        Conflict conflict;
        std::uint32_t next;
    };

    std::size_t home(const WordAccess& access) const;
    std::size_t find(const WordAccess& access) const;
    void grow();
    void keep(Guess& guess, const Conflict& conflict);
    void take(const Guess& guess, const Take& take) const;
    void close(std::size_t slot);
    template <class Wanted>
    void take_where(Wanted wanted, const Take& take);

    std::vector<Guess> slots_;  // open addressing, a power of two
    std::size_t count_ = 0;
    std::vector<Kept> kept_;
    std::uint32_t free_ = kNobody;  // the first of those that are kept no more
    std::uint64_t opened_ = 0;
    /// Its words lie within these.
    std::uint64_t low_ = ~std::uint64_t{0}, high_ = 0;
};

}  // namespace lanework
