// Counting into several tables in turn, so that equal neighbours are additions to different counters.
#pragma once

#include <cstring>

#include "ops/histogram/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

class Tables {
public:
    /// Counts n bytes, eight at a time.
    void count(const std::uint8_t* in, std::int64_t n) {
        std::int64_t i = 0;
        for (; i + 8 <= n; i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, in + i, sizeof word);
            for (int byte = 0; byte < 8; ++byte) ++table_[byte % kTables][word >> 8 * byte & 0xFF];
        }
        for (; i < n; ++i) ++table_[0][in[i]];
    }
    std::uint64_t operator[](int bin) const {
        std::uint64_t sum = 0;
        for (const auto& table : table_) sum += table[bin];
        return sum;
    }

private:
    static constexpr int kTables = 8;
    std::uint64_t table_[kTables][kBins] = {};
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
