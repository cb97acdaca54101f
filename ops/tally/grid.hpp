// A thread of the grid for each thread of the tally, over cells that begin at 0.
#pragma once

#include "ops/tally/operation.hpp"
#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kTallyThreads = 256;

inline unsigned tally_blocks(const TallyArgs& a) { return static_cast<unsigned>(ceil_div(a.threads, kTallyThreads)); }

/// Zeroes the cells; false when that is all there is to do.
inline bool begin_tally(const TallyArgs& a, cudaStream_t stream) {
    if (a.cells == 0) return false;
    LANEWORK_CHECK(cudaMemsetAsync(a.out, 0, a.bytes(), stream));
    return a.threads > 0;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
