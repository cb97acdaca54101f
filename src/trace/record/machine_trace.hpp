// A stage of the tracer: the machine code of a traced launch, executed on the memory that the launch began with. Its
// counters are those of the code that a GPU runs: with the accesses that the compiler joined, without those that it
// dropped, and with the lanes of unrolled loops where it put them.
//
// It is believed where it leaves memory as the traced kernel did; else nothing is said.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/gpu/sass/execution.hpp"
#include "src/trace/analyse/machine_counters.hpp"
#include "src/trace/record/gpu_memory.hpp"
#include "src/trace/record/machine_arguments.hpp"
#include "src/trace/record/machine_variables.hpp"

namespace lanework {

class MachineTracer {
public:
    /// `codes` are those of all kernels that may be launched, one for each file that was compiled, and outlive the
    /// tracer.
    explicit MachineTracer(std::span<const MachineCode> codes);

    void launch_begins(const lanework_simt::Launch& launch);
    /// A launch that is not traced, before it runs.
    void launch_unseen(const lanework_simt::Launch& launch);
    void memory_allocated(const void* base, std::size_t bytes) { gpu_memory_.allocated(base, bytes); }
    void copied(const lanework_simt::StreamCopy& copy) { gpu_memory_.copied(copy); }
    /// What the code did. `functions` are the functions that the traced kernel's own code stands in.
    std::shared_ptr<const MachineTrace> launch_ends(const std::vector<std::string>& functions);

private:
    /// The code of one file, with its variables.
    struct Unit {
        const MachineCode* code;
        std::unique_ptr<MachineVariables> variables = {};
        /// Constant bank 3 as the launch began.
        std::vector<std::byte> constants = {};
    };
    struct Candidate {
        const MachineKernel* kernel;
        const Unit* unit;
    };
    /// What may come out otherwise: sums of products, comparisons of what is in doubt, and quotients of it.
    struct Doubts {
        bool unfused, turned, shaken;
    };
    struct Followed {
        std::shared_ptr<MachineTrace> trace;
        LeftByLaunch left;
    };
    bool may_be_launched(const MachineKernel& kernel) const;
    std::vector<Candidate> candidates(const std::vector<std::string>& functions) const;
    Followed run(const Candidate& candidate) const;
    /// Of the one of these that was launched.
    static GpuMemory::Reach reach_of(const std::vector<Candidate>& all);
    /// The trace of the instance that was launched, or why it is not known.
    Followed chosen_of(const std::vector<Candidate>& all) const;
    void make_variables(Unit& unit, const lanework_simt::Launch& launch);
    MachineLaunch launch_of(const Candidate& candidate, const LaidOutParameters& parameters) const;
    /// The counters of runs in other orders and with other roundings; none where one did not end. `executed`: warp
    /// instructions of the first run. Each one's memory is judged, and what was varied.
    using Judge = std::function<void(const MemorySnapshot&, const MachineVariation&)>;
    std::vector<KernelCounters> vary(const MachineTrace& trace, MachineLaunch launch, std::uint64_t executed,
                                     Doubts doubts, const Judge& judge) const;
    /// What runs leave otherwise than `memory` that differ from it in the order of threads alone, as each of the
    /// `variations` has it; nothing where one did not end.
    std::optional<DoubtfulMemory> differs_by_order(const MachineTrace& trace, MachineLaunch launch,
                                                   const MemorySnapshot& memory, Fractions fractions,
                                                   const std::vector<MachineVariation>& variations) const;

    std::vector<Unit> units_;
    std::string kernel_;
    MachineLaunch launch_;
    std::vector<KeptArgument> arguments_;
    /// Null where the launch cannot be followed: too much memory would be copied.
    std::unique_ptr<MemorySnapshot> before_;
    GpuMemory gpu_memory_;
};

}  // namespace lanework
