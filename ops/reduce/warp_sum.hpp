// Sums over a warp and over a block by shuffles: registers talk to registers, and shared memory holds one value per
// warp.
#pragma once

#include "ops/reduce/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

constexpr int kWarp = 32;
inline constexpr unsigned kAllLanes = 0xFFFFFFFFU;

/// The sum of the warp's values, in its first lane. Every lane takes part.
template <class T>
__device__ T warp_sum(T value) {
#pragma unroll
    for (int offset = kWarp / 2; offset > 0; offset /= 2)
        value = plus(value, __shfl_down_sync(kAllLanes, value, offset));
    return value;
}

/// The sum of the block's values, in its first thread. Every thread of the block takes part; the block's threads are a
/// multiple of a warp. `sums` is shared memory for one value per warp.
template <class T>
__device__ T block_sum(T value, T* sums) {
    const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
    value = warp_sum(value);
    if (lane == 0) sums[warp] = value;
    __syncthreads();
    if (warp == 0) value = warp_sum(lane < warps ? sums[lane] : T{});
    return value;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
