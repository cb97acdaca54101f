// Copies from global to shared memory that run while their threads do other things (cp.async, from compute
// capability 8.0 on).
#pragma once

#include <cstdint>
#include <lanework/on_device.hpp>
#include <lanework/problem.hpp>
#include <string_view>

#include <cuda_runtime.h>

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Why the current device cannot run kernels of asynchronous copies, or of tensor cores for bfloat16; empty when it
/// can.
inline std::string_view refuse_before_ampere(const Problem&) {
    int device = 0, major = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess || major < 8)
        return "asynchronous copies, and tensor cores for bfloat16, exist from compute capability 8.0 on";
    return {};
}

/// Writes kBytes (4, 8 or 16) to shared memory: `given` bytes from memory, then zeros. Both sides are aligned to
/// kBytes. Of 16, the second-level cache fetches kFetched (16, or 256: all of a piece of memory that others will ask
/// for, too).
template <int kBytes, int kFetched = kBytes>
__device__ void copy_async(void* to, const void* from, int given) {
    const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
    static_assert(kFetched == kBytes || (kBytes == 16 && kFetched == 256));
    if constexpr (kFetched == 256)
        asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(given)
                     : "memory");
    else if constexpr (kBytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(given) : "memory");
    else if constexpr (kBytes == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(address), "l"(from), "r"(given) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(address), "l"(from), "r"(given) : "memory");
}
/// Closes a batch of this thread's copies; one may be empty.
__device__ inline void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Waits until all but the newest `kNewest` batches of this thread have arrived.
template <int kNewest>
__device__ void wait_copies() {
    asm volatile("cp.async.wait_group %0;" ::"n"(kNewest) : "memory");
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
