// Dynamic shared memory beyond what every kernel gets.
#pragma once

#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Allows a kernel this much dynamic shared memory. A device that was not asked does not know of it, so every launch
/// does.
template <class Kernel>
void allow_shared(Kernel* kernel, int bytes) {
    LANEWORK_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
