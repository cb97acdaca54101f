// What is counted about accesses and branches: per site, and by addition per kernel. Nsight Compute's names for these
// counts, and how far each can be trusted, are in metrics.hpp.
#pragma once

#include <cstdint>

namespace lanework {

/// Of one counter for each of another; 0 of nothing.
inline double per(std::uint64_t amount, std::uint64_t count) {
    return count == 0 ? 0 : static_cast<double>(amount) / static_cast<double>(count);
}

/// Accesses to global memory. A sector is 32 bytes at a multiple of 32; a request is one instruction of one warp.
struct GlobalCounters {
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0;
    /// Sectors if the lanes' bytes lay side by side, rounded up per request; no more than there are.
    std::uint64_t ideal_sectors = 0;
    /// Bytes that the lanes want, each byte of a request once.
    std::uint64_t bytes = 0;
    /// 128-byte lines that requests touch.
    std::uint64_t lines = 0;
    /// Addresses that differ within a request, summed: for atomics, what can go on side by side.
    std::uint64_t distinct_addresses = 0;
    /// Sectors that the same block had loaded before in the launch; of loads only.
    std::uint64_t repeated_sectors = 0;
    /// Of those: another warp of the block loads them in the same turn, and they are on their way for both.
    std::uint64_t together_sectors = 0;
    /// Sectors that no block had loaded before, and those that another block loads in the same turn; of loads only.
    std::uint64_t first_sectors = 0, along_sectors = 0;
    /// Lanes that took part, summed.
    std::uint64_t lanes = 0;
    /// The most lanes of one request that named one address.
    std::uint64_t most_lanes_per_address = 0;
    /// Of atomics: sectors as often as they are served, which is once for each lane that names one address there, or
    /// oftener.
    std::uint64_t served_sectors = 0;
    /// Of atomics: requests whose sectors may be served oftener.
    std::uint64_t unclear = 0;

    void add(const GlobalCounters& other);
};

/// Accesses to shared memory: 32 banks of 4 bytes. A wavefront is one pass over the banks.
struct SharedCounters {
    std::uint64_t requests = 0;
    std::uint64_t wavefronts = 0;
    /// The least for as many different words: 1 for up to 4 bytes per lane, 2 for 8, 4 for 16.
    std::uint64_t ideal_wavefronts = 0;
    /// What more was needed because groups of lanes are served apart whose words would have fitted together.
    std::uint64_t apart_wavefronts = 0;
    std::uint64_t lanes = 0;
    /// Wavefronts of the worst request.
    std::uint64_t most_wavefronts = 0;
    /// Of atomics: the most lanes of one request that named one address.
    std::uint64_t most_lanes_per_address = 0;
    /// Requests whose wavefronts hang on which lanes are served together, where that is not known.
    std::uint64_t unclear = 0;

    std::uint64_t conflicts() const { return wavefronts - ideal_wavefronts - apart_wavefronts; }
    void add(const SharedCounters& other);
};

/// Reads of constant memory: one pass for each address that differs.
struct ConstantCounters {
    std::uint64_t requests = 0;
    std::uint64_t distinct_addresses = 0;

    void add(const ConstantCounters& other);
};

/// Accesses to a thread's own memory that the host compiler left in memory.
struct LocalCounters {
    std::uint64_t requests = 0;
    std::uint64_t lanes = 0;

    void add(const LocalCounters& other);
};

/// Basic blocks that warps entered, and the branches between them.
struct BranchCounters {
    /// Times a warp, or a part of it, entered the block, and its lanes then.
    std::uint64_t entries = 0;
    std::uint64_t lanes = 0;
    /// Where the block ends in a branch (warps went on to more than one block): times that a group of lanes left it,
    /// and of these the times that its lanes parted.
    std::uint64_t branches = 0;
    std::uint64_t divergent = 0;

    void add(const BranchCounters& other);
};

/// The sums of a launch over its sites.
struct KernelCounters {
    GlobalCounters global_loads, global_stores, global_atomics, global_reductions, texture_fetches;
    SharedCounters shared_loads, shared_stores, shared_atomics;
    ConstantCounters constant;
    LocalCounters local_loads, local_stores;
    BranchCounters branch;

    void add(const KernelCounters& other);
};

}  // namespace lanework
