// The time that tests may bound: what this process computed, however busy the machine is.
#pragma once

#include <ctime>

namespace lanework {

/// Seconds of all threads of this process on a processor.
inline double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace lanework
