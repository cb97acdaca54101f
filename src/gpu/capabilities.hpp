// What one multiprocessor (SM) of each compute capability holds: the limits that decide which launches are possible and
// how many blocks run at a time.
//
// This and occupancy.hpp are facts and arithmetic: they need no CUDA and nothing of ours but the exceptions, so that
// reports, analysers and the simt device's own runtime answer from the same source.
#pragma once

#include <span>
#include <string_view>

namespace lanework {

/// Bytes are bytes; registers are 32 bits wide.
struct Capability {
    /// 90 is compute capability 9.0, sm_90.
    int number;
    /// "Hopper".
    std::string_view family;
    int warps_per_sm;
    int blocks_per_sm;
    /// Shared memory of an SM and, of that, what one block may have after it opted in (cudaFuncSetAttribute).
    int shared_per_sm, shared_per_block;
    /// What the driver keeps for itself of every block's shared memory.
    int shared_reserved;
    /// A block's shared memory is rounded up to a multiple of this.
    int shared_granule;
    /// The sizes that the SM can set aside as shared memory; the rest of the memory is its L1 cache.
    std::span<const int> shared_partitions;
    int fp32_cores;
    /// Named barriers (bar.sync 0 … 15) of all blocks of an SM together; 0 where nothing is known to bound them.
    int barriers_per_sm;
    /// An SM that belongs to it.
    std::string_view example;

    int warp_size = 32;
    int threads_per_block = 1024;
    /// What a block may have without opting in.
    int shared_per_block_default = 48 * 1024;
    int registers_per_sm = 64 * 1024;
    int registers_per_block = 64 * 1024;
    int registers_per_thread = 255;
    /// A warp's registers are rounded up to a multiple of this…
    int register_granule = 256;
    /// …and lie in one of the SM's partitions, each with its own scheduler and as large a share of the registers.
    int partitions = 4;

    constexpr int threads_per_sm() const { return warps_per_sm * warp_size; }
};

/// In increasing order of their number.
std::span<const Capability> capabilities();

/// Null when nothing is known of it: below 7.5, or newer than this program.
const Capability* find_capability(int number);

/// FP32 cores of an SM, also of those before 7.5 that older toolkits still compile for; 0 when unknown.
int cores_per_sm(int number);

/// Reads "90", "9.0", "sm_90" or "90a". Throws UsageError that lists what is known.
const Capability& parse_capability(std::string_view text);

}  // namespace lanework
