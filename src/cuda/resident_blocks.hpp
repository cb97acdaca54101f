// How many blocks a device holds at once: a grid of just so many leaves none that comes late.
#pragma once

#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Multiprocessors of the current device. Asking takes less than a tenth of a microsecond.
inline int multiprocessors() {
    int device = 0, processors = 0;
    LANEWORK_CHECK(cudaGetDevice(&device));
    LANEWORK_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    return processors;
}

/// What the current device holds at once of blocks of which a multiprocessor holds `each`.
inline unsigned resident_blocks(int each) { return static_cast<unsigned>(multiprocessors() * each); }

}  // namespace lanework::inline LANEWORK_ON_DEVICE
