// How many blocks a device holds at once: a grid of just so many leaves none that comes late.
//
// A launch asks the current device, every time: a process may have several, and what one said is wrong for the next.
#pragma once

#include <cstdint>

#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Of the current device. Asking takes less than a tenth of a microsecond.
inline int device_attribute(cudaDeviceAttr which) {
    int device = 0, value = 0;
    LANEWORK_CHECK(cudaGetDevice(&device));
    LANEWORK_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

inline int multiprocessors() { return device_attribute(cudaDevAttrMultiProcessorCount); }

/// What the current device holds at once of blocks of which a multiprocessor holds `each`.
inline unsigned resident_blocks(int each) { return static_cast<unsigned>(multiprocessors() * each); }

/// What the current device holds at once of a kernel's blocks of `threads` threads.
template <class Kernel>
std::int64_t resident_blocks(Kernel* kernel, int threads) {
    int each = 0;
    LANEWORK_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, 0));
    return resident_blocks(each);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
