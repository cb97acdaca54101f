// Inputs that are hard to get right, as operation.json names them: those of our own operations, and numbers that are
// all negative, which show a maximum that begins at zero.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "src/core/hard_inputs.hpp"

namespace lanework {

/// Makes every floating-point number of the inputs negative: the top bit is its sign in every type that there is.
inline void make_negative(const Problem&, std::span<const BufferSpec> specs, const Buffers& buffers) {
    for (std::size_t array = 0; array < specs.size(); ++array) {
        if (specs[array].role != Role::input) continue;
        const std::size_t size = size_of(specs[array].dtype);
        auto* const bytes = static_cast<std::uint8_t*>(buffers.data[array]);
        for (std::size_t i = 0; i < specs[array].count; ++i) bytes[i * size + size - 1] |= 0x80;
    }
}

inline constexpr std::array<Input, std::size(kHardNumbers) + 1> kOwnInputs = [] {
    std::array<Input, std::size(kHardNumbers) + 1> all{};
    std::ranges::copy(kHardNumbers, all.begin());
    all.back() = {"negative", "random, all negative", make_negative};
    return all;
}();

}  // namespace lanework
