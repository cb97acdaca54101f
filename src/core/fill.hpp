// Random inputs that depend on a seed alone, so that a wrong result can be made again.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanework {

/// A stateless generator: the value at (seed, index), uniform over 64 bits (SplitMix64's finalizer).
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index);

/// Uniform over the whole range of the type; floating-point values over [-1, 1).
void fill_uniform(std::uint8_t* values, std::size_t count, std::uint64_t seed);
void fill_uniform(std::int32_t* values, std::size_t count, std::uint64_t seed);
void fill_uniform(std::uint64_t* values, std::size_t count, std::uint64_t seed);
void fill_uniform(float* values, std::size_t count, std::uint64_t seed);
void fill_uniform(double* values, std::size_t count, std::uint64_t seed);

}  // namespace lanework
