// Random inputs: a hash of (seed, index), so that any part can be filled in any order.
#include "src/core/fill.hpp"

#include <bit>

#include "src/core/in_parts.hpp"

namespace lanework {
namespace {

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;  // 2^64 ÷ the golden ratio: SplitMix64's increment

template <class T, class Convert>
void fill_each(T* values, std::size_t count, std::uint64_t seed, Convert convert) {
    constexpr std::int64_t kWorthAThread = 1 << 20;
    in_parts(static_cast<std::int64_t>(count), kWorthAThread, [=](std::int64_t begin, std::int64_t end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
            values[i] = convert(random_bits(seed, i));
    });
}

}  // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = (seed + 1) * kGolden + index * 0xD1342543DE82EF95;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

void fill_uniform(std::uint8_t* values, std::size_t count, std::uint64_t seed) {
    fill_each(values, count, seed, [](std::uint64_t bits) { return static_cast<std::uint8_t>(bits >> 56); });
}

void fill_uniform(std::int32_t* values, std::size_t count, std::uint64_t seed) {
    fill_each(values, count, seed,
              [](std::uint64_t bits) { return std::bit_cast<std::int32_t>(static_cast<std::uint32_t>(bits >> 32)); });
}

void fill_uniform(std::uint64_t* values, std::size_t count, std::uint64_t seed) {
    fill_each(values, count, seed, [](std::uint64_t bits) { return bits; });
}

void fill_uniform(float* values, std::size_t count, std::uint64_t seed) {
    // 24 random bits, exactly representable, scaled to [-1, 1).
    fill_each(values, count, seed, [](std::uint64_t bits) {
        return static_cast<float>(static_cast<std::int64_t>(bits >> 40) - (1 << 23)) * 0x1p-23F;
    });
}

void fill_uniform(double* values, std::size_t count, std::uint64_t seed) {
    fill_each(values, count, seed, [](std::uint64_t bits) {
        return static_cast<double>(static_cast<std::int64_t>(bits >> 11) - (std::int64_t{1} << 52)) * 0x1p-52;
    });
}

}  // namespace lanework
