// Copies of the memory that a device had at one time, and how what lies there now is like them: equal, or the same but
// for rounding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "src/gpu/sass/execution.hpp"
#include "src/trace/record/carried_words.hpp"

namespace lanework {

/// Fractions that a kernel computes with: none; floats, and stores nothing narrower; halves or bytes, too; doubles,
/// too.
enum class Fractions { none, floats, narrow, wide };

/// The number whose bytes begin there, at any address.
template <class T>
T value_at(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

/// Copies of the memory that a device had at one time.
class MemorySnapshot {
public:
    /// Of all that is allocated now.
    MemorySnapshot();

    /// Adds what lies in memory without being allocated; whether it is `judged` whether the memory resembles.
    void add(std::span<std::byte> range, bool judged);

    /// From the address on, to the end of its range; empty where it was none.
    std::span<std::byte> at(std::uint64_t address);
    std::span<const std::byte> at(std::uint64_t address) const;
    /// The range that the address lies in; of no bytes where it is none.
    MachineArray range_of(std::uint64_t address) const;
    /// All ranges.
    std::vector<MachineArray> ranges() const;
    /// Adds to `left` the ranges that are not alike in this and in `other`, of the same memory: because of rounding,
    /// where numbers are near each other and `fractions` were computed, or because of the order of threads.
    void add_what_differs(const MemorySnapshot& other, Fractions fractions, DoubtfulMemory& left) const;
    /// Adds to `left` the ranges in which what lies in memory now is not like this; `before` is what both began with.
    void add_what_memory_differs_in(const MemorySnapshot& before, Fractions fractions, DoubtfulMemory& left) const;
    /// Sets a word of 4 bytes; nothing where it is no memory.
    void set(std::uint64_t address, std::uint32_t value);
    /// The words that differ from what lies in memory now, in rising order; nothing if there are more than `most`. Adds
    /// to `ends` the bytes that differ behind the last whole word of a range.
    std::optional<std::vector<CarriedWord>> what_memory_differs_in(const MemorySnapshot& before, Fractions fractions,
                                                                   std::size_t most, DoubtfulMemory& ends) const;
    /// Whether the address is before or behind a range, and so near that a GPU has memory there, too.
    bool is_beside(std::uint64_t address) const;
    enum class Likeness { equal, rounded, different };
    /// How what lies in memory now is like this: equal, or the same but for rounding (numbers that are near each
    /// other), where `fractions` were computed; words that only the kernel as written copies do not count: the padding
    /// of what this one stores in parts. `before` is what both began with.
    Likeness likeness_to_memory(const MemorySnapshot& before, Fractions fractions) const;

    /// A word of 4 bytes, of one of the copies.
    struct Word {
        std::size_t copy, at;
    };
    /// The words for which the likeness is `different`.
    std::vector<Word> different_words(const MemorySnapshot& before, Fractions fractions) const;
    /// Takes those away that hang on what was varied in another run of the same code, which left `varied`: they changed
    /// there into what lies in memory now, or not by much less than they differ from it.
    void remove_unsettled(std::vector<Word>& words, const MemorySnapshot& varied, Fractions fractions) const;

private:
    enum class Difference { rounding, cancelled, padding, other };  ///< cancelled: of a sum that is nearly 0
    /// As DoubtfulMemory::Why.
    static std::uint8_t why_of(Difference difference);
    /// Calls `visit(copy, at, count, difference)` for each stretch of 8 bytes that differs, until it returns false.
    template <class Visit>
    void compare_with_memory(const MemorySnapshot& before, Fractions fractions, Visit visit) const;

    struct Copy {
        std::uint64_t base;
        std::vector<std::byte> bytes;
        bool judged = true;
    };
    std::vector<Copy> copies_;  // by base
};

}  // namespace lanework
