// What the rungs share: which element a thread computes, and in what way it walks through constant memory.
#pragma once

#include "ops/coefficients/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kBlock = 256;
constexpr unsigned kWarp = 32;

inline unsigned blocks_for(const CoefficientsArgs& a) { return static_cast<unsigned>(ceil_div(a.n, kBlock)); }

/// The element of this thread, which may lie beyond the last.
__device__ inline std::int64_t own_element() { return std::int64_t{blockIdx.x} * kBlock + threadIdx.x; }

/// The product of all factors of x. get(k) is coefficient k.
template <class Get>
__device__ std::int32_t evaluate(std::int32_t x, std::int64_t degree, Get get) {
    std::uint32_t product = 1;
#pragma unroll 8
    for (std::int64_t k = 0; k < degree; ++k)
        product = times_factor(product, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(get(k)));
    return static_cast<std::int32_t>(product);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
