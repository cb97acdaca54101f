// The rule about a thread's own memory: spilled registers, and arrays that are indexed. What ptxas says of the kernel
// decides where it was asked, or the machine code where it was followed. Where neither was, the code as it was executed
// says which arrays are indexed by a variable, and no number of bytes is said.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr std::string_view kUnroll =
    "Index the array with constants only: unroll the loops over it, so that its elements become registers.";

Finding finding_of(const RuleInputs& in, std::string evidence, std::string_view remedy) {
    return {.rule = Rule::local_memory,
            .severity = Severity::warning,
            .place = place_of(in.launch.shape),
            .evidence = std::move(evidence),
            .remedy = std::string(remedy),
            .weight = kSeriousCost,
            .other = {}};
}

void find_compiled(const RuleInputs& in, std::vector<Finding>& findings) {
    const int stack = *in.stack_bytes, spilled = in.spilled_bytes.value_or(0);
    if (stack == 0 && spilled == 0) return;
    const std::string what = spilled != 0 ? fmt::format("{} bytes of registers are spilled to memory", spilled)
                                          : fmt::format("an array of {} bytes per thread lies in memory", stack);
    findings.push_back(finding_of(
        in, fmt::format("{} ({}, ptxas for sm_{})", what, in.launch.shape.kernel, in.gpu.capability),
        spilled != 0
            ? "Keep fewer values alive at once, or allow more registers (__launch_bounds__ with fewer threads)."
            : kUnroll));
}

/// The frame of a thread's stack: arrays, and what was spilled.
void find_in_machine_code(const RuleInputs& in, const MachineTrace& machine, std::vector<Finding>& findings) {
    if (machine.kernel->stack_bytes == 0) return;
    findings.push_back(finding_of(
        in,
        fmt::format("{} bytes per thread lie in memory: arrays that are indexed, or registers that were spilled ({}, "
                    "machine code for sm_{})",
                    machine.kernel->stack_bytes, in.launch.shape.kernel, in.gpu.capability),
        kUnroll));
}

/// Where warps index an array of their threads most; once for the launch.
void find_as_written(const RuleInputs& in, std::vector<Finding>& findings) {
    const PlacedSite* most = nullptr;
    double of_most = 0, all = 0, others = 0;
    for (const PlacedSite& placed : in.launch.sites) {
        const double here = placed.unrolled ? 0 : indexed_on_stack(placed);
        all += here;
        others += static_cast<double>(placed.site.global.requests + placed.site.shared.requests);
        if (here > of_most) most = &placed, of_most = here;
    }
    if (!most || all < kSeriousCost * (all + others)) return;
    Finding finding = finding_of(
        in,
        fmt::format(
            "warps access an array of their threads at an index that varies, {:.0f} times as written; it lies in "
            "memory where nvcc cannot unroll every loop that counts the index (nobody asked: no machine code is "
            "here)",
            all),
        kUnroll);
    finding.severity = Severity::advice;
    finding.place = most->place;
    findings.push_back(std::move(finding));
}

void find_local_memory(const RuleInputs& in, std::vector<Finding>& findings) {
    const MachineTrace* const machine = in.launch.machine.get();
    if (in.stack_bytes)
        find_compiled(in, findings);
    else if (machine && machine->known())
        find_in_machine_code(in, *machine, findings);
    else
        find_as_written(in, findings);
}

void keep_in_registers(Demand& d, const Mending&) { d.local_requests = 0; }

}  // namespace

LANEWORK_COST_RULE(local_memory, {.find = find_local_memory, .mend = keep_in_registers});

}  // namespace lanework
