// The grid of a kernel whose blocks stay: as many as the device holds at once, so that none waits for a place.
#pragma once

#include <algorithm>

#include "ops/reduce/passes.hpp"
#include "src/cuda/resident_blocks.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// No grid of resident blocks is larger; bounds the workspace without asking a device.
inline constexpr std::int64_t kMaxResidentBlocks = 4096;

/// As many of the kernel's blocks of `threads` threads as the current device holds at once, and no more than n values
/// need at `per_block` each.
template <class Kernel>
unsigned grid_for(Kernel* kernel, int threads, std::int64_t n, std::int64_t per_block) {
    const auto resident = std::clamp<std::int64_t>(resident_blocks(kernel, threads), 1, kMaxResidentBlocks);
    return static_cast<unsigned>(std::min(resident, blocks_of(n, per_block)));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
