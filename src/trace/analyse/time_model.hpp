// The model of time: what each part of a GPU needs for a launch's demand, and what that makes together
// (docs/decisions/time-model.md).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "src/trace/analyse/demand.hpp"

namespace lanework {

/// What a kernel can wait for.
enum class Bottleneck : std::uint8_t {
    memory,         ///< device memory's bandwidth, or the link's to the host's memory
    l2,             ///< the way between SMs and L2
    l1,             ///< requests of global memory at each SM: lines per request
    shared_memory,  ///< wavefronts
    compute,        ///< arithmetic and the instructions around it
    atomics,        ///< updates that wait for each other at one address
    latency,        ///< round trips that too few warps overlap
    clock,          ///< threads that read a clock until enough time has passed
    printing,       ///< printf, which goes to the host's memory
    launch,         ///< starting the kernels
};
inline constexpr std::size_t kBottlenecks = static_cast<std::size_t>(Bottleneck::launch) + 1;
/// "memory", "L2", "L1", "shared memory", "compute", "atomics", "latency", "clock",
/// "printing", "launch".
std::string_view name_of(Bottleneck bottleneck);

/// What the model takes for a GPU's: chosen by hand from micro-benchmarks and documents, recorded times in sight.
struct TimeParameters {
    /// As they were chosen.
    TimeParameters();

    /// Instructions of a warp where there is no machine code: from its start to its end, for an access, for what this
    /// processor's arithmetic comes to, or, where that is not known, for a basic block.
    double warp_instructions, access_instructions, host_instructions, step_instructions;
    /// Warp instructions that an SM issues in a clock, and the part of the published arithmetic rate that is reached.
    double issue_rate, compute_reach;
    /// Clocks of an SM's memory pipe: of a request, of a line beyond the first, of a pass over the banks.
    double request_clocks, line_clocks, wavefront_clocks;
    /// Clocks of an SM for a request of shared atomics, and for each of its passes: over integers, which one
    /// instruction adds, and over fractions, which a loop of compare-and-swap does; of a pass over constant memory.
    double shared_atomic_clocks, integer_pass_clocks, float_pass_clocks, constant_clocks;
    /// Clocks of an SM for a match of any lanes, and for each group that it finds.
    double match_clocks, match_group_clocks;
    /// Clocks of an SM for a turn of an atomic operation that is for the threads of a block alone.
    double block_atomic_clocks;
    /// Clocks from one instruction of a warp to the next; loads of a warp that are in flight together.
    double instruction_latency, loads_in_flight;
    /// Clocks of a shared access that is waited for, of a barrier, of a shuffle.
    double shared_latency, barrier_latency, meeting_latency;
    /// How sharply the longest part decides: parts p make (Σ p^sharpness)^(1/sharpness).
    double sharpness;
    /// Seconds of the first launch, of each further one, of one that the host begins when it has waited, and of a
    /// graph's further step; and what a kernel takes by itself beyond one that does nothing (Gpu::lone_launch) where it
    /// reaches memory, whose addresses nobody has translated before: on one SM, and more on all of them, which ask at
    /// once.
    double first_launch, further_launch, waited_launch, graph_launch, lone_access, lone_access_of_all;
    /// Clocks of starting a block on an SM, and of the GPU from one block that it starts to the next.
    double block_clocks, dispatch_clocks;
};
struct TimeParameter {
    std::string_view name;
    double TimeParameters::*value;
};
std::span<const TimeParameter> time_parameters();

/// Seconds of each part by itself, in the order of Bottleneck, and of all of them together.
struct ModelledTime {
    std::array<double, kBottlenecks> parts_s{};
    double seconds = 0;

    double part(Bottleneck bottleneck) const { return parts_s[static_cast<std::size_t>(bottleneck)]; }
    /// The longest part; launch only where nothing else takes a fifth of it.
    Bottleneck bound() const;
};

/// What the average warp of a launch takes when no other is in its way, in clocks by what it waits for.
struct WarpChain {
    /// Issuing its instructions, one each, and the clocks until the next of them may follow.
    double issue = 0, fixed = 0;
    /// Loads and atomics of global memory, of which the first is waited for in full; a thread's own memory and
    /// textures.
    double global = 0, first_load = 0, local = 0;
    /// Shared memory with its conflicts, and what lanes hand each other.
    double shared = 0, meetings = 0;
    double barriers = 0;
    /// From the block before to its first instruction.
    double start = 0;

    /// All but the first load, which turns of the SM with blocks wait for and the longest warp does not again.
    double repeated() const { return issue + fixed + global + local + shared + meetings + barriers + start; }
};
WarpChain warp_chain(const Demand& demand, const TimeParameters& parameters = {});

/// What the SMs' arithmetic needs, in clocks of all SMs together: issuing instructions, and the pipes behind.
struct ArithmeticClocks {
    double issue = 0, pipes = 0;
};
ArithmeticClocks arithmetic_clocks(const Demand& demand, const TimeParameters& parameters = {});

/// Instructions of the launch's warps: those of the machine code, or what the code as written suggests.
double instructions_of(const Demand& demand, const TimeParameters& parameters = {});

/// Of launches that follow each other, caches cold.
ModelledTime time_of(std::span<const Demand> launches, const Gpu& gpu, const TimeParameters& parameters = {});
/// Of one launch by itself, from its start on the GPU to its end, caches cold: what Nsight Compute calls its duration.
ModelledTime duration_of(const Demand& launch, const Gpu& gpu, const TimeParameters& parameters = {});

}  // namespace lanework
