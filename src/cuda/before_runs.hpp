// What goes on the stream before a run that is timed with caches cold.
#pragma once

#include "src/cuda/memory.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Reads all of the data, which are zeros: afterwards caches hold nothing else, and nothing that has yet to be written
/// to memory, as they would after a fill.
void read_through(DeviceView<uint4> zeros, cudaStream_t stream);

/// Keeps the stream busy for so many seconds, by the device's clock.
void hold(double seconds, cudaStream_t stream);

}  // namespace lanework::inline LANEWORK_ON_DEVICE
