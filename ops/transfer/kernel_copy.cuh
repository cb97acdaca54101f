// A copy by a kernel, sixteen bytes per thread: it reads and writes whatever memory its pointers lead to.
#pragma once

#include "ops/transfer/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kCopyThreads = 256;
inline constexpr int kWordsPerPack = 4;

/// One pack per thread, and one of the words after the last pack.
__device__ inline void copy_pack(const std::int32_t* in, std::int32_t* out, std::int64_t words) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kCopyThreads + threadIdx.x, packs = words / kWordsPerPack;
    if (i < packs) reinterpret_cast<int4*>(out)[i] = reinterpret_cast<const int4*>(in)[i];
    if (const std::int64_t rest = packs * kWordsPerPack + i; rest < words) out[rest] = in[rest];
}

/// A thread for each pack and for each of the words after the last.
inline unsigned copy_blocks(std::int64_t words) {
    return static_cast<unsigned>(words / kWordsPerPack / kCopyThreads + 1);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
