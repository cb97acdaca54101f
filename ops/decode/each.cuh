// A thread for each candidate.
#pragma once

#include "ops/decode/grid.hpp"
#include "ops/decode/scores.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// The candidate of this thread, of every image whose turn it is; blocks of kDecodeBlock threads.
__device__ inline void decode_each(const DecodeArgs& a) {
    const std::int64_t index = std::int64_t{blockIdx.x} * kDecodeBlock + threadIdx.x;
    if (index >= a.n) return;
    for (std::int64_t image = blockIdx.y; image < a.images; image += gridDim.y) decode_one(a, image, index);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
