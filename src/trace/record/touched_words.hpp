// Which words of memory a launch read and which it wrote: two bits of each, in pieces that are made when memory is
// touched.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "src/trace/analyse/runs.hpp"

namespace lanework {

inline constexpr std::uint64_t kTouchedWordBytes = 4;

/// A bit for each of so many words.
struct WordBits {
    static constexpr std::size_t kWords = 4096, kInOne = 64;
    std::array<std::uint64_t, kWords / kInOne> bits{};

    void set(std::size_t first, std::size_t count) {
        for (const std::size_t end = first + count; first < end;) {
            const std::size_t in_one = first % kInOne, taken = std::min(kInOne - in_one, end - first);
            bits[first / kInOne] |= ~std::uint64_t{0} >> (kInOne - taken) << in_one;
            first += taken;
        }
    }
    /// Calls `body(first, count)` for each unbroken run of bits.
    template <class Body>
    void each_run(Body body) const {
        for (std::size_t at = next(0, false); at < kWords;) {
            const std::size_t end = next(at, true);
            body(at, end - at);
            at = next(end, false);
        }
    }
    WordBits operator&(WordBits other) const {
        for (std::size_t i = 0; i < bits.size(); ++i) other.bits[i] &= bits[i];
        return other;
    }
    /// Those that are not `other`'s.
    WordBits without(WordBits other) const {
        for (std::size_t i = 0; i < bits.size(); ++i) other.bits[i] = bits[i] & ~other.bits[i];
        return other;
    }
    WordBits operator|(WordBits other) const {
        for (std::size_t i = 0; i < bits.size(); ++i) other.bits[i] |= bits[i];
        return other;
    }

private:
    /// The first bit from `at` on that is set, or of the `clear` ones.
    std::size_t next(std::size_t at, bool clear) const {
        while (at < kWords) {
            const std::uint64_t one = clear ? ~bits[at / kInOne] : bits[at / kInOne];
            if (const std::uint64_t left = one >> at % kInOne)
                return std::min(kWords, at + static_cast<std::size_t>(std::countr_zero(left)));
            at = (at / kInOne + 1) * kInOne;
        }
        return kWords;
    }
};

/// What a launch touched of a piece of memory that begins at a multiple of kBytes.
struct TouchedPiece {
    static constexpr std::uint64_t kBytes = WordBits::kWords * kTouchedWordBytes;
    std::uint64_t address = 0;
    WordBits read, written;
    /// It was accessed so that a change by others would have been seen: volatile, or by an atomic load.
    bool polled = false;
};

class TouchedWords {
public:
    void clear();
    /// Adds what the lanes access. A word that is written in part counts as read, too: the rest stays what it was. Not
    /// all such words are seen: a store to a bit-field is told as one of all that the bit-field lies in.
    void add(const Request& request);
    /// By address.
    std::vector<const TouchedPiece*> pieces() const;

private:
    void add_run(const Site& site, std::uint64_t address, std::uint64_t bytes);
    TouchedPiece& piece(std::uint64_t index);

    std::unordered_map<std::uint64_t, std::unique_ptr<TouchedPiece>> pieces_;
    std::vector<std::unique_ptr<TouchedPiece>> spare_;
    /// Pieces that were accessed last, each in the place that its index has there.
    static constexpr std::size_t kRecent = 256;
    std::array<TouchedPiece*, kRecent> recent_{};
};

}  // namespace lanework
