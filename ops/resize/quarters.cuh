// Weights of ¼ and ¾ on two samples at once: x + 3·y of two bytes fits ten bits, so that two sums share a word.
#pragma once

#include <cstdint>
#include <lanework/on_device.hpp>

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Both samples of a word weighed down as OpenCV does, s >> 2 and 3·s >> 2 of such sums, times 64: a result is the
/// upper byte of its half.
struct OpencvQuarters {
    static constexpr std::uint32_t kWhole = 0xFFC0FFC0u, kRounding = 0x00800080u;
    static __device__ std::uint32_t quarter(std::uint32_t sums) { return (sums * 16) & kWhole; }
    static __device__ std::uint32_t three_quarters(std::uint32_t sums) { return (sums * 48 + kRounding) & kWhole; }
    static __device__ std::uint32_t both(std::uint32_t quarter, std::uint32_t three) { return quarter + three; }
};

/// To nearest, ties to even: of values times 256 of which four bits are 0.
__device__ inline std::uint32_t rounded_halves(std::uint32_t values) {
    return values + 0x00700070u + ((values >> 4) & 0x00100010u);
}

/// The same of float weights, where nothing but the result is rounded: to nearest, ties to even.
struct FloatQuarters {
    static __device__ std::uint32_t quarter(std::uint32_t sums) { return sums * 16; }
    static __device__ std::uint32_t three_quarters(std::uint32_t sums) { return sums * 48; }
    static __device__ std::uint32_t both(std::uint32_t quarter, std::uint32_t three) {
        return rounded_halves(quarter + three);
    }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
