// What every GPU counts threads and memory in; code that reads it includes no capability.
#pragma once

namespace lanework {

/// Threads of a warp.
inline constexpr unsigned kLanes = 32;
/// Of shared memory: a bank serves one word in a pass.
inline constexpr unsigned kBanks = 32, kWordBytes = 4;
/// Of global memory: what the L2 fetches, and what a tag stands for.
inline constexpr unsigned kSectorBytes = 32, kLineBytes = 128;

}  // namespace lanework
