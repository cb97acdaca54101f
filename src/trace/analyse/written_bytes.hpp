// Which bytes of a stretch of memory were ever written, one bit each.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace lanework {

/// Bits are kept by the caller, 64 to a word.
class WrittenBytes {
public:
    explicit WrittenBytes(std::uint64_t* bits) : bits_(bits) {}

    void set(std::size_t first, std::size_t count) {
        each_word(first, count, [&](std::size_t word, std::uint64_t mask) {
            bits_[word] |= mask;
            return true;
        });
    }
    void clear(std::size_t first, std::size_t count) {
        each_word(first, count, [&](std::size_t word, std::uint64_t mask) {
            bits_[word] &= ~mask;
            return true;
        });
    }
    /// The first byte of the range that was not written; first + count when all were.
    std::size_t first_unwritten(std::size_t first, std::size_t count) const {
        std::size_t found = first + count;
        each_word(first, count, [&](std::size_t word, std::uint64_t mask) {
            const std::uint64_t missing = mask & ~bits_[word];
            if (missing) found = word * kBits + static_cast<std::size_t>(std::countr_zero(missing));
            return missing == 0;
        });
        return found;
    }

    bool any_written(std::size_t first, std::size_t count) const {
        bool any = false;
        each_word(first, count, [&](std::size_t word, std::uint64_t mask) {
            any = bits_[word] & mask;
            return !any;
        });
        return any;
    }

private:
    static constexpr std::size_t kBits = 64;

    /// Calls `body(word, mask)` for the bits of the range until it says false.
    template <class Body>
    static void each_word(std::size_t first, std::size_t count, Body body) {
        for (const std::size_t end = first + count; first < end;) {
            const std::size_t word = first / kBits, low = first % kBits;
            const std::size_t taken = std::min(kBits - low, end - first);
            if (!body(word, ~std::uint64_t{0} >> (kBits - taken) << low)) return;
            first += taken;
        }
    }

    std::uint64_t* bits_;
};

}  // namespace lanework
