// One element's walk through the table, word by word.
#pragma once

#include "ops/banks/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// What a.out[i] is to be.
inline std::int32_t swept(const BanksArgs& a, std::int64_t i) {
    auto x = static_cast<std::uint32_t>(i);
    for (std::int64_t sweep = 0; sweep < a.sweeps; ++sweep) {
        std::uint32_t sum = 0;
        for (const std::int32_t* row = a.table; row != a.table + kTableWords; row += kWords) {
            std::uint32_t taken = x;
            for (int word = 0; word < kWords; word += 2)
                taken =
                    take_in(taken, static_cast<std::uint32_t>(row[word]), static_cast<std::uint32_t>(row[word + 1]));
            sum += taken;
        }
        x = sum;
    }
    return static_cast<std::int32_t>(x);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
