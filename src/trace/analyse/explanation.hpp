// An explanation: what the trace of one rung on one problem showed, launch by launch and line by line. Plain data for
// reports.
#pragma once

#include <lanework/operation.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/gpu/touched_sectors.hpp"
#include "src/trace/analyse/analyser.hpp"
#include "src/trace/analyse/example_request.hpp"
#include "src/trace/analyse/finding.hpp"
#include "src/trace/analyse/machine_counters.hpp"
#include "src/trace/analyse/pace.hpp"
#include "src/trace/analyse/reuse.hpp"
#include "src/trace/analyse/stream_trace.hpp"

namespace lanework {

/// A site with its place in the source. Sites that the compiler made of one expression stay apart.
struct PlacedSite {
    Site site;
    SourcePlace place;
    /// The worst request that the site made; none for branches, and where none was kept.
    std::optional<ExampleRequest> example = {};
    /// Of a basic block: bytes of this processor's code.
    std::uint64_t code_bytes = 0;
    /// Of a basic block: what its arithmetic comes to in instructions of a GPU, by this processor's code.
    double instructions = 0;
    /// Of them, multiplications of integers; and accesses to an array on the thread's stack whose place is computed.
    double multiplications = 0, indexed_on_stack = 0;
    /// Of such accesses: the loop around them is one that a GPU's compiler unrolls, as its text says.
    bool unrolled = false;
    /// Of a basic block: it belongs to the device's headers, and does what a GPU has an instruction for.
    bool emulates = false;
};

KernelCounters sum(const std::vector<PlacedSite>& sites);

/// What the analyser of one rule counted in a launch, for that rule alone.
struct Observation {
    virtual ~Observation() = default;
};

/// One launch of a kernel.
struct KernelTrace {
    LaunchShape shape;
    /// In the order of file and line.
    std::vector<PlacedSite> sites;
    /// Of which nobody was to see anything: they began behind the time that there was for it.
    std::uint64_t blocks_left_out = 0;
    /// Bytes of global memory that the launch read or wrote at least once, each counted once (sectors of 32 bytes).
    std::uint64_t footprint_read = 0, footprint_written = 0;
    /// As footprint_read, in the halves of lines that memory is read in: pairs of sectors.
    std::uint64_t footprint_pairs = 0;
    /// Which sectors these are; null where nobody counted.
    std::shared_ptr<const TouchedMemory> touched = {};
    LaunchPace pace = {};
    Reuse reuse = {};
    /// Basic blocks that the warp entered which entered most.
    std::uint64_t longest_warp = 0;
    std::vector<std::shared_ptr<const Observation>> observed = {};
    /// What CUDA would have said; empty for a good launch.
    std::string error;
    /// The error is that threads never met: at a barrier, or lanes in an operation of their warp.
    bool never_met = false;
    /// It is that threads read what nobody was left to change.
    bool endless = false;
    /// Where it happened, or else the launch.
    SourcePlace error_place{};
    /// Clocks that blocks waited for a clock: the one that waited longest, and all of them.
    long long longest_clock_wait = 0, clock_waits = 0;
    /// Lines that threads printed, and warps; the most of one warp.
    std::uint64_t printed_by_threads = 0, printed_by_warps = 0, most_printed = 0;
    /// What the machine code of the launch did; null where none was at hand.
    std::shared_ptr<const MachineTrace> machine = {};

    KernelCounters counters() const { return sum(sites); }
    /// Null where none was made.
    template <class T>
    const T* observed_as() const {
        for (const auto& each : observed)
            if (const T* wanted = dynamic_cast<const T*>(each.get())) return wanted;
        return nullptr;
    }
};

struct Explanation {
    std::string operation;
    std::string rung;
    /// "simt", "simt:t4".
    std::string device = "simt";
    std::vector<std::string> axes;
    Problem problem;
    std::string variant;
    std::uint64_t seed = 0;
    /// The algorithm's own bytes and operations.
    Work work;
    /// The work of the larger problem that the time and the gains are for, of which this one is a slice; none where
    /// they are for this one.
    std::optional<Work> timed = {};
    /// "10000x10000": that problem.
    std::string timed_size = {};
    /// Where the lesson is written, relative to the project's root.
    std::string file;
    std::string lesson;
    std::vector<KernelTrace> kernels;
    /// The same launches on a GPU of one SM, which tell how a grid that follows the GPU divides the work; empty where
    /// they were not traced.
    std::vector<KernelTrace> on_one_sm = {};
    /// The same launches of a problem with the same data and fewer operations, and what those are: they tell what a
    /// thread does once and what it does in turns. Empty where no axis of the problem is of turns alone.
    std::vector<KernelTrace> fewer_turns = {};
    Work work_of_fewer_turns = {};
    /// What was handed to streams; null where nobody wrote that down.
    std::shared_ptr<const StreamTrace> streams = {};
    /// Errors first, then by weight.
    std::vector<Finding> findings;
};

}  // namespace lanework
