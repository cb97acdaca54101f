// Inputs that are hard to get right, as operation.json names them: those of our own operations, and numbers that are
// all negative or all above one, which show a maximum or a minimum that begins there, and numbers on a large offset,
// which show cancellation.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

#include "src/core/hard_inputs.hpp"
#include "src/core/own_ladders.hpp"
#include "src/program/ladder/reference.hpp"

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

/// The digits of a type's numbers, in bits.
constexpr int digits_of(DType dtype) {
    switch (dtype) {
        case DType::float64: return 53;
        case DType::float32: return 24;
        case DType::float16:
        case DType::tfloat32: return 11;
        case DType::bfloat16: return 8;
        default: return 4;
    }
}

/// Writes change(x, dtype) over every number x of the inputs.
template <class Change>
void change_inputs(std::span<const BufferSpec> specs, const Buffers& buffers, Change change) {
    for (std::size_t array = 0; array < specs.size(); ++array) {
        const DType dtype = specs[array].dtype;
        if (specs[array].role != Role::input || specs[array].count == 0) continue;
        std::vector<std::uint64_t> wide = widen(dtype, buffers.data[array], specs[array].count);
        for (std::uint64_t& bits : wide)
            bits = std::bit_cast<std::uint64_t>(change(std::bit_cast<double>(bits), dtype));
        narrow(dtype, wide, buffers.data[array]);
    }
}

/// Adds what leaves random values near half of their digits, and their squares none: 8192 to float32.
inline void add_offset(const Problem&, std::span<const BufferSpec> specs, const Buffers& buffers) {
    change_inputs(specs, buffers, [](double x, DType dtype) { return x + std::ldexp(1.0, digits_of(dtype) / 2 + 1); });
}

inline void make_more_than_one(const Problem&, std::span<const BufferSpec> specs, const Buffers& buffers) {
    change_inputs(specs, buffers, [](double x, DType) { return 1 + std::fabs(x); });
}

inline constexpr std::array<Input, std::size(kHardNumbers) + 3> kOwnInputs = [] {
    constexpr Input kOwn[] = {{kOffsetInput, "random on a large offset", add_offset},
                              {"negative", "random, all negative", make_negative},
                              {"positive", "random, all above 1", make_more_than_one}};
    std::array<Input, std::size(kHardNumbers) + std::size(kOwn)> all{};
    std::ranges::copy(kOwn, std::ranges::copy(kHardNumbers, all.begin()).out);
    return all;
}();

/// Where operation.json names none.
inline constexpr std::string_view kUsualInputs[] = {"constant",  "alternating", "signed_zeros", "subnormal",
                                                    "ascending", "negative",    "positive"};

}  // namespace lanework
