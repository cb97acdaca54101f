// The two sides as loops, for rungs that branch between them.
#pragma once

#include "ops/divergence/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// x after `rounds` even steps.
__device__ __forceinline__ std::uint32_t even_side(std::uint32_t x, std::int64_t rounds) {
#pragma unroll 16  // the loop's own instructions take issue slots from the steps
    for (std::int64_t round = 0; round < rounds; ++round) x = even_step(x);
    return x;
}

/// x after `rounds` odd steps.
__device__ __forceinline__ std::uint32_t odd_side(std::uint32_t x, std::int64_t rounds) {
#pragma unroll 16
    for (std::int64_t round = 0; round < rounds; ++round) x = odd_step(x);
    return x;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
