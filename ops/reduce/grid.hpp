// The grid of a kernel whose blocks stay: as many as the device holds at once, so that none waits for a place.
#pragma once

#include <algorithm>

#include "ops/reduce/passes.hpp"
#include "src/cuda/resident_blocks.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// No grid of resident blocks is larger; bounds the workspace without asking a device.
inline constexpr std::int64_t kMaxResidentBlocks = 4096;

/// Blocks of `threads` threads that the current device holds at once.
template <class Kernel>
std::int64_t resident_blocks(Kernel* kernel, int threads) {
    int per_processor = 0;
    LANEWORK_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel, threads, 0));
    return std::clamp<std::int64_t>(std::int64_t{multiprocessors()} * per_processor, 1, kMaxResidentBlocks);
}

/// At most `resident` blocks, and no more than n values need at `per_block` each.
inline unsigned grid_for(std::int64_t n, std::int64_t per_block, std::int64_t resident) {
    return static_cast<unsigned>(std::min(resident, blocks_of(n, per_block)));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
