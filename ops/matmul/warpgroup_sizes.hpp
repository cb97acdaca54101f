// How much Hopper's units take at once, and the tiles that are made for them, for kernels and for what lays tiles out.
#pragma once

#include <lanework/on_device.hpp>

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kWarpgroup = 128;                    // threads
inline constexpr int kBlockRows = 128, kBlockCols = 256;  // of C, per block
inline constexpr int kStepDepth = 64;                     // columns of A and rows of B, per step
inline constexpr int kGroupRows = 64;                     // rows of sums per warpgroup: what one wgmma multiplies
inline constexpr int kStripCols = 64;                     // columns of B that TMA swizzles together: 128 bytes
inline constexpr int kSwizzleBytes = 128;                 // a row of a tile in shared memory
inline constexpr int kSwizzleRows = 8;                    // rows after which the swizzle repeats
inline constexpr int kProducerRegisters = 40,
                     kConsumerRegisters = 232;                   // of each thread: 504 of 512 with two consumers
inline constexpr int kAlignment = kSwizzleBytes * kSwizzleRows;  // of tiles in shared memory

}  // namespace lanework::inline LANEWORK_ON_DEVICE
