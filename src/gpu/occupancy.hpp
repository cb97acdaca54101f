// Occupancy: how many blocks of a kernel one multiprocessor (SM) runs at a time, and what stops it from running more.
// Equal to cudaOccupancyMaxActiveBlocksPerMultiprocessor (tests/gpu/occupancy_recorded.inc).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/gpu/capabilities.hpp"

namespace lanework {

/// What one block asks for. Shared memory is in bytes.
struct KernelResources {
    int threads_per_block = 256;
    /// 0: unknown or none, no limit.
    int registers_per_thread = 0;
    std::int64_t static_shared = 0;
    std::int64_t dynamic_shared = 0;
    /// cudaFuncAttributeMaxDynamicSharedMemorySize: as much as a block can have unless it is given.
    std::int64_t dynamic_limit = INT64_MAX;
    /// Named barriers; __syncthreads() is one.
    int barriers = 1;
    /// cudaFuncAttributePreferredSharedMemoryCarveout: percent of the SM's shared memory, or the default.
    int carveout = kDefaultCarveout;

    static constexpr int kDefaultCarveout = -1;
    constexpr std::int64_t shared() const { return static_shared + dynamic_shared; }
};

/// The resources of an SM that run out.
enum class Limiter : std::uint8_t { warps, blocks, registers, shared_memory, barriers };
inline constexpr Limiter kLimiters[] = {Limiter::warps, Limiter::blocks, Limiter::registers, Limiter::shared_memory,
                                        Limiter::barriers};
/// "warps", "blocks", "registers", "shared memory", "barriers".
std::string_view name_of(Limiter limiter);

/// Why no device of the capability takes the launch.
enum class Impossible : std::uint8_t {
    no,
    threads,
    registers_per_thread,
    registers_per_block,
    shared_memory,
    dynamic_limit
};

struct Occupancy {
    /// Blocks that an SM runs at a time, and their warps; 0 when the launch is impossible.
    int blocks = 0, warps = 0;
    int warps_per_block = 0;
    /// Warps ÷ the warps that an SM has room for.
    double fraction = 0;
    Impossible impossible = Impossible::no;
    /// Blocks that each resource alone would allow, in the order of Limiter; kUnlimited for what is not used.
    std::array<int, std::size(kLimiters)> allowed{};
    /// What one block is given, after rounding: registers, and bytes of shared memory with the driver's share.
    std::int64_t registers_per_block = 0, shared_per_block = 0;

    static constexpr int kUnlimited = 0x7fffffff;
    int allows(Limiter limiter) const { return allowed[static_cast<std::size_t>(limiter)]; }
    /// Whether more of this resource is needed for one more block. Several can be.
    bool limited_by(Limiter limiter) const { return impossible == Impossible::no && allows(limiter) == blocks; }
};

/// `threads_per_block` is above 0, nothing is negative.
Occupancy occupancy(const Capability& capability, const KernelResources& kernel);

/// Every resource that limits, in the order of Limiter; none when the launch is impossible.
std::vector<Limiter> limiters(const Occupancy& occupancy);

/// "registers and shared memory"; for an impossible launch what is wrong with it: "1025 threads per block: an SM takes
/// at most 1024".
std::string describe_limit(const Capability& capability, const KernelResources& kernel, const Occupancy& occupancy);

struct OccupancyPoint {
    int threads_per_block;
    Occupancy occupancy;
};
/// The occupancy at every whole number of warps, with the rest of what the kernel asks for as it is.
std::vector<OccupancyPoint> occupancy_curve(const Capability& capability, const KernelResources& kernel);

/// The most that a kernel may use for one more block to fit on an SM, and what then runs.
struct OneMoreBlock {
    int registers_per_thread;
    std::int64_t shared;
    Occupancy then;
};
/// By fewer registers, less shared memory or, where both limit, less of both; nothing where something else limits.
std::optional<OneMoreBlock> one_more_block(const Capability& capability, const KernelResources& kernel);

/// Blocks below this are worth a remark: their start costs too much of their work, and the SM's limit of blocks is
/// reached before its warps are (CUDA C++ Best Practices Guide, "Thread and Block Heuristics": 128 to 256 to begin
/// with).
inline constexpr int kSensibleThreads = 128;

/// The block size of whole warps, kSensibleThreads or more, that keeps most warps on an SM; of equals the nearest to
/// the present one, which is kept when nothing is better.
int better_block_size(const Capability& capability, const KernelResources& kernel);

}  // namespace lanework
