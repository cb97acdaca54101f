// What a launch asks of the parts of a GPU: the figures of its trace that its time follows from.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "src/gpu/gpus.hpp"
#include "src/trace/analyse/metrics.hpp"

namespace lanework {

/// One launch on one GPU. Counts are of the whole launch.
struct Demand {
    double blocks = 1, warps_per_block = 1;
    /// Blocks that an SM holds at a time.
    double resident_blocks = 1;
    /// Warps that registers, shared memory and barriers would let it hold, were there not so many blocks.
    double room_for_warps = 1;
    /// Of warps, where there is machine code: `of_code` is 1 then.
    double instructions = 0, of_code = 0;
    /// As written: basic blocks that warps enter, accesses of all kinds, and what this processor's arithmetic for them
    /// comes to in instructions of a GPU (0 on processors whose code nobody reads here).
    double steps = 0, accesses = 0, host_instructions = 0;
    /// Clocks from the first of a warp's instructions to its last, summed over the warps, by what the compiler wrote
    /// into them; 0 where that is not at hand.
    double stall_clocks = 0;
    /// Clocks that the busiest pipe of an SM needs for its instructions; 0 where there is no machine code.
    double pipe_clocks = 0;
    /// Operations of the algorithm that belong to the launch, over what an SM does in a clock.
    double flop_clocks = 0;
    /// Accesses to global memory: requests and the lines of 128 bytes that they touch.
    double load_requests = 0, load_lines = 0, store_requests = 0, store_lines = 0;
    /// Sectors that L1 does not have, and their lines.
    double l2_read_sectors = 0, l2_read_lines = 0;
    /// Sectors that are stored, their lines, and those that were written in part only.
    double written_sectors = 0, written_lines = 0, partly_written_sectors = 0;
    /// Sectors that come from memory and that go there.
    double memory_read_sectors = 0, memory_written_sectors = 0;
    /// Bytes of the host's memory that the kernel reaches over the link.
    double link_read = 0, link_written = 0;
    /// Bytes of managed memory whose pages come while it runs: no part of the kernel's own time (page_fault_seconds).
    double faulted = 0;
    /// Sectors that are read at all, each once.
    double first_read_sectors = 0;
    /// Atomic operations on global memory: requests, addresses that differ within requests, lanes, and what waits for
    /// each other in the busiest region (LaunchPace).
    double atomic_requests = 0, atomic_addresses = 0, atomic_lanes = 0, hottest_turns = 0, hottest_sectors = 0;
    /// Of those for the threads of the block alone, which the SM does itself: requests, and turns of their lanes.
    double block_atomic_requests = 0, block_atomic_turns = 0;
    /// 1 for integers, which L2 adds faster.
    double atomics_of_integers = 1;
    /// Loops of compare-and-swap at the busiest place: lanes that read what is there, each of which tries to change it,
    /// and those that try until they did.
    double swapping_lanes = 0, swaps = 0;
    double shared_requests = 0, shared_wavefronts = 0;
    /// Atomic operations on shared memory: requests, passes over the banks, and those that lanes at one address make
    /// more.
    double shared_atomic_requests = 0, shared_atomic_wavefronts = 0, shared_turns = 0;
    /// Clocks in which the average block's threads wait for each other in loops of compare-and-swap on shared memory.
    double spinning_clocks = 0;
    /// Passes over constant memory for addresses that differ.
    double constant_passes = 0;
    double local_requests = 0;
    /// Fetches of textures, of warps.
    double texture_requests = 0;
    /// What the threads of a block meet at, its end among them; what lanes of a warp do.
    double barriers = 0, meetings = 0;
    /// Matches of any lanes (MATCH.ANY), and the groups of lanes that they found.
    double matches = 0, matched = 0;
    /// Clocks that blocks wait for a clock, all of them, and the one that waits longest.
    double clock_waits = 0, longest_clock_wait = 0;
    /// Lines that threads print, that warps do, whose threads print together, and the warp that prints most.
    double printed_by_threads = 0, printed_by_warps = 0, most_printed = 0;
    /// 1: the host launches it when it has waited for what came before; it is a step of a graph, not the first.
    double host_waited = 0, in_graph = 0;
    /// The longest warp, measured by the average one.
    double longest_warp = 1;
    /// Round trips of the loads that are waited for, in clocks, on average.
    double load_latency = 0;
    /// How often a warp waits for loads, atomic operations and textures, of each of them: by the order of the machine
    /// code, which issues several before it needs the first. 0 where there is none.
    double waits_per_load = 0;
    /// Bytes of a lane's loads, on average: narrow ones keep less in flight.
    double load_bytes = 4;

    /// At which a block's threads wait for each other: its end is none.
    double barriers_of_a_block() const { return std::max(0.0, barriers / blocks - 1); }
    /// Warps that are on an SM at a time: no more than the launch has for each.
    double warps_on_an_sm(const Gpu& gpu) const {
        return std::min(resident_blocks, std::max(1.0, blocks / gpu.sms)) * warps_per_block;
    }
};

/// A figure of a demand by name, for files.
struct DemandFigure {
    std::string_view name;
    double Demand::*value;
};
std::span<const DemandFigure> demand_figures();

/// Accesses of warps to arrays on the stacks of their threads whose place is computed, by this processor's code: of a
/// basic block, of a launch. A GPU has such an array in memory, unless its compiler unrolls every loop over it. 0 on
/// processors whose code nobody reads here.
double indexed_on_stack(const PlacedSite& placed);
double indexed_on_stack(const KernelTrace& launch);

/// Of all launches, in their order: of the problem that was traced, or stretched to the one that the explanation is a
/// slice of. Then blocks and stores grow as what is written, loads and instructions as the operations, what is read of
/// memory as what is read.
std::vector<Demand> demands_of(const Explanation& explanation, const Gpu& gpu);

}  // namespace lanework
