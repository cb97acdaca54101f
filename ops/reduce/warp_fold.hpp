// Folds over a warp and over a block by shuffles: registers talk to registers, and shared memory holds one value per
// warp.
#pragma once

#include "ops/reduce/fold.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

constexpr int kWarp = 32;
inline constexpr unsigned kAllLanes = 0xFFFFFFFFU;

/// What the lane `offset` further on holds.
template <class T>
__device__ T from_above(T value, int offset) {
    return __shfl_down_sync(kAllLanes, value, offset);
}
template <class T>
__device__ Candidate<T> from_above(const Candidate<T>& value, int offset) {
    return {from_above(value.value, offset), from_above(value.place, offset)};
}

/// Of the warp's values, in its first lane. Every lane takes part.
template <ReduceForm form, class T>
__device__ T warp_fold(T value) {
#pragma unroll
    for (int offset = kWarp / 2; offset > 0; offset /= 2) value = fold<form>(value, from_above(value, offset));
    return value;
}

/// Of the block's values, in its first thread. Every thread of the block takes part; the block's threads are a multiple
/// of a warp. `of_warps` is shared memory for one value per warp.
template <ReduceForm form, class T>
__device__ T block_fold(T value, T* of_warps) {
    const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
    value = warp_fold<form>(value);
    if (lane == 0) of_warps[warp] = value;
    __syncthreads();
    if (warp == 0) value = warp_fold<form>(lane < warps ? of_warps[lane] : of_none<form, T>());
    return value;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
