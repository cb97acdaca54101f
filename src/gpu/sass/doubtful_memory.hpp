// Memory that a GPU may hold something else in than this processor does: what launches left that round in their own
// way, or that the order of threads decides.
#pragma once

#include <array>
#include <cstdint>

#include "src/gpu/touched_sectors.hpp"

namespace lanework {

/// Words of 4 bytes, by their addresses.
class DoubtfulMemory {
public:
    /// Bits. `size`: of sums that all but cancel out rounding is all that is left, which may be 0 or of any exponent.
    enum Why : std::uint8_t { rounding = 1, order = 2, size = 4 };
    static constexpr unsigned kAll = rounding | order | size;

    /// Of all words together; 0 where there is none.
    unsigned why() const;
    bool empty() const { return why() == 0; }
    /// Of the words of these bytes.
    unsigned why(std::uint64_t address, std::uint64_t bytes) const;
    void add(unsigned why, std::uint64_t address, std::uint64_t bytes);
    void add(const DoubtfulMemory& other);
    /// Those words that are all within these bytes.
    void remove(std::uint64_t address, std::uint64_t bytes);
    /// The reasons are none any more of the words that are all within these bytes.
    void forget(unsigned why, std::uint64_t address, std::uint64_t bytes);

private:
    static constexpr std::uint64_t kWord = 4;
    static constexpr std::array<unsigned, 3> kReasons = {rounding, order, size};
    std::array<TouchedSectors, 3> words_;
};

}  // namespace lanework
