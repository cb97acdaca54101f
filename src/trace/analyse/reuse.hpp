// Reuse: how long ago what a launch loads was loaded before, by which a cache of a given size keeps it.
#pragma once

#include <array>
#include <cstdint>

namespace lanework {

/// Distances by powers of two: 0, 1, 2 to 3, 4 to 7, …
inline constexpr std::size_t kReuseDistances = 33;
/// Which of them it is.
std::size_t reuse_class(std::uint64_t distance);

/// Sectors by how many blocks before another block touched them.
using ReuseByBlocks = std::array<std::uint64_t, kReuseDistances>;

/// Of the loads of a launch, in sectors, and of its stores. Warps of a block are taken to go in step, so that a
/// distance is one between turns: a warp's own loads are numbered.
struct Reuse {
    /// Loads of warps, and sectors that they touch.
    std::uint64_t requests = 0, sectors = 0;
    /// What the block had loaded before, by how many turns before.
    std::array<std::uint64_t, kReuseDistances> by_turns{};
    /// What the block loads for the first time and another block had loaded before, by how many blocks before.
    ReuseByBlocks by_blocks{};
    /// What is stored that another block had stored before.
    ReuseByBlocks stored_by_blocks{};
};

/// The part that a cache with room for so many bytes still has of what was last used `distance` bytes ago.
double kept_part(double distance, double room);

/// What caches make of a launch's loads: shares of the sectors that are loaded.
struct CachedLoads {
    /// Found in L1 among what the block loaded before.
    double in_l1 = 0;
    /// Of what was loaded before, not found in L2 any more.
    double lost_by_l2 = 0;
};

/// Where `warps` of an SM's warps share `l1_bytes`, a sector costing `bytes_each` of them, and `sms` such SMs
/// `l2_bytes`; a block loads `block_bytes` that it did not have.
struct CacheShare {
    double warps = 1, l1_bytes = 0, bytes_each = 32, sms = 1, l2_bytes = 0, block_bytes = 0;
};
CachedLoads cached_loads(const Reuse& reuse, const CacheShare& share);
/// Of those sectors the ones that L2 has lost in between.
double lost_by_l2(const ReuseByBlocks& by_blocks, const CacheShare& share);

}  // namespace lanework
