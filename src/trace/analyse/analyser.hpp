// An analyser sees what warps do, request by request, and keeps what it is about. It overrides the few events that
// it needs.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "src/gpu/memory_units.hpp"
#include "src/trace/analyse/site.hpp"

namespace lanework {

/// One instruction of one warp that accesses memory: the lanes that execute it together.
struct Request {
    Site* site;
    /// Bit l is set when lane l takes part; never 0.
    std::uint32_t lanes;
    /// By lane; those of lanes that take no part are undefined. Within shared memory: offsets from its start.
    std::array<std::uint64_t, kLanes> address;
    /// The block's linear index in the grid, and the warp's in the block.
    std::uint64_t block;
    unsigned warp;
    /// Of a write to global memory that is told later than the memory was as it left it: that memory, as many words for
    /// each lane as its access can touch, the first at the lane's address rounded down. Null where memory still is so.
    const std::uint32_t* values = nullptr;

    static constexpr std::size_t kValueBytes = 4;
    /// So many for each lane.
    static constexpr std::size_t values_of(unsigned bytes) { return bytes / kValueBytes + 1; }
};

/// Lanes of a warp that enter a basic block together.
struct Step {
    Site* site;
    std::uint32_t lanes;
    std::uint64_t block;
    unsigned warp;
};

/// Lanes of a warp that met: __syncwarp, a shuffle, a vote.
struct Meeting {
    Site* site;
    std::uint32_t lanes;
    std::uint64_t block;
    unsigned warp;
};

/// An index that is outside of its array (-fsanitize=bounds).
struct BadIndex {
    Site* site;
    std::uint64_t block;
    unsigned thread;
    long long index;
};

/// The shape of a launch.
struct LaunchShape {
    std::string kernel;
    std::string file;  ///< of the launch
    int line = 0;
    std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::size_t dynamic_shared = 0;
    /// __shared__ variables; known when the launch ended.
    std::size_t static_shared = 0;
    /// Tells streams apart; null for the default stream.
    const void* stream = nullptr;

    std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
    unsigned threads_per_block() const { return block[0] * block[1] * block[2]; }
    unsigned warps_per_block() const { return (threads_per_block() + kLanes - 1) / kLanes; }
};

/// A range of memory that the device knows.
struct MemoryRange {
    const void* base;
    std::size_t bytes;

    bool contains(std::uint64_t address, std::size_t count) const {
        const std::uint64_t offset = address - reinterpret_cast<std::uint64_t>(base);
        return offset <= bytes && count <= bytes - offset;
    }
};

struct KernelTrace;

class Analyser {
public:
    virtual ~Analyser() = default;

    /// Which requests and steps it wants; asked once. What nobody wants costs nothing.
    virtual bool sees_requests(Space) const { return false; }
    virtual bool sees_steps() const { return false; }
    /// Whether it reads memory that a request wrote.
    virtual bool reads_values() const { return false; }

    // Memory, while the trace lives.
    virtual void memory_allocated(const MemoryRange&) {}
    virtual void memory_released(const MemoryRange&) {}
    virtual void memory_written(const MemoryRange&) {}
    /// The range is about to be changed by what it holds: bytes that nobody wrote stay unwritten.
    virtual void memory_changed(const MemoryRange&) {}

    /// A launch ran that is not traced: it may have written any memory that there is.
    virtual void launch_unseen() {}

    // A launch. Blocks may interleave under a seeded schedule; warps of a block come one after another.
    virtual void launch_begins(const LaunchShape&) {}
    virtual void block_begins(std::uint64_t /*block*/) {}
    /// In program order for each lane; different warps in any order between two barriers.
    virtual void request(const Request&) {}
    virtual void step(const Step&) {}
    virtual void meeting(const Meeting&) {}
    /// A fence of these lanes, or the order of their next or last atomic operation: the site's kind says which.
    virtual void fence(const Meeting&) {}
    virtual void index_out_of_bounds(const BadIndex&) {}
    /// All threads of the block met at a barrier. Comes after every event before the barrier.
    virtual void barrier(std::uint64_t /*block*/) {}
    /// All blocks of the grid met: what any of them did before comes before all that they do from now on.
    virtual void grid_barrier() {}
    virtual void block_ends(std::uint64_t /*block*/) {}
    /// Nothing is told of blocks that begin from now on in this launch; those that run are told to their ends.
    virtual void launch_cut_short() {}
    virtual void launch_ends(const LaunchShape&) {}
    /// Behind launch_ends: puts what was counted, beside the counters of sites, into the launch's record.
    virtual void record(KernelTrace&) const {}
};

}  // namespace lanework
