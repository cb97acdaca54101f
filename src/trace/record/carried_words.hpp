// Words that a GPU holds otherwise than this processor: machine code fuses what the traced kernel rounds apart. The
// next launch's code is executed on what the code before left, as on a GPU, though the traced kernels go on with their
// own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lanework {

/// 4 bytes of device memory, at a multiple of 4.
struct CarriedWord {
    std::uint64_t address;
    /// What the machine code left, and what the traced kernel did.
    std::uint32_t mine, theirs;
    /// How they differ, as DoubtfulMemory::Why: where the word cannot be carried on, it is in doubt.
    std::uint8_t why;
};

class CarriedWords {
public:
    /// Words are added one after the other by rising addresses.
    void add(const CarriedWord& word) { words_.push_back(word); }
    void clear() { words_.clear(); }
    bool empty() const { return words_.empty(); }
    std::span<const CarriedWord> all() const { return words_; }
    /// Those that lie in these bytes, a part of them at least.
    std::span<const CarriedWord> in(std::uint64_t address, std::uint64_t bytes) const;
    /// Of all of these together; 0 where there is none.
    unsigned why(std::uint64_t address, std::uint64_t bytes) const;
    void erase(std::uint64_t address, std::uint64_t bytes);
    /// What was copied on the device is the same there.
    void copy(std::uint64_t from, std::uint64_t to, std::uint64_t bytes);

private:
    std::vector<CarriedWord> words_;  // by address
};

}  // namespace lanework
