// A stage of the tracer: the machine code of a traced launch, executed on the memory that the launch began with. Its
// counters are those of the code that a GPU runs: with the accesses that the compiler joined, without those that it
// dropped, and with the lanes of unrolled loops where it put them.
//
// It is believed where it leaves memory as the traced kernel did; else nothing is said.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/gpu/sass/execution.hpp"
#include "src/trace/analyse/machine_counters.hpp"
#include "src/trace/record/machine_arguments.hpp"

namespace lanework {

/// Copies of the memory that a device had at one time.
class MemorySnapshot {
public:
    /// Of all that is allocated now.
    MemorySnapshot();

    /// From the address on, to the end of its range; empty where it was none.
    std::span<std::byte> at(std::uint64_t address);
    /// Whether what lies in memory now is the same but for rounding, where results may be `rounded` (numbers of 4, 8 or
    /// 2 bytes that are near each other), and for words that only the kernel as written copies: the padding of what
    /// this one stores in parts. `before` is what both began with.
    bool resembles_memory(const MemorySnapshot& before, bool rounded) const;

private:
    struct Copy {
        std::uint64_t base;
        std::vector<std::byte> bytes;
    };
    std::vector<Copy> copies_;  // by base
};

class MachineTracer {
public:
    /// `code` is that of all kernels that may be launched, and outlives the tracer.
    explicit MachineTracer(const MachineCode& code) : code_(code) {}

    void launch_begins(const lanework_simt::Launch& launch);
    /// What the code did. `functions` are the functions that the traced kernel's own code stands in.
    std::shared_ptr<const MachineTrace> launch_ends(const std::vector<std::string>& functions);

private:
    std::vector<const MachineKernel*> candidates(const std::vector<std::string>& functions) const;
    std::shared_ptr<MachineTrace> run(const MachineKernel& kernel) const;

    const MachineCode& code_;
    std::string kernel_;
    MachineLaunch launch_;
    std::vector<KeptArgument> arguments_;
    std::unique_ptr<MemorySnapshot> before_;
};

}  // namespace lanework
