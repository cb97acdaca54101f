// Adding up what instructions did.
#include "src/trace/analyse/machine_counters.hpp"

#include "src/gpu/sass/instructions.hpp"
#include "src/trace/analyse/explanation.hpp"

namespace lanework {

KernelCounters sum(const MachineTrace& trace) {
    std::vector<PlacedSite> sites;
    for (const MachineSite& each : trace.sites) sites.push_back({.site = each.site, .place = {}});
    KernelCounters counters = sum(sites);
    // Nsight Compute counts loads of matrices apart from others.
    for (const MachineSite& each : trace.sites)
        if (trace.kernel->instructions[each.instruction].name.starts_with("LDSM"))
            counters.shared_loads.requests -= each.site.shared.requests;
    for (std::size_t i = 0; i < trace.counts.size(); ++i) {
        const MachineCount& count = trace.counts[i];
        counters.branch.entries += count.executed;
        counters.branch.lanes += count.lanes;
        if (!is_branch(trace.kernel->instructions[i])) continue;
        // A jump by a table to three places diverges twice, as an H100 counts it.
        counters.branch.branches += count.executed - count.divergent + count.parted;
        counters.branch.divergent += count.parted;
    }
    return counters;
}

namespace {

template <class Chosen>
KernelCounters sum_of(const MachineTrace& trace, Chosen chosen) {
    std::vector<PlacedSite> sites;
    for (const MachineSite& each : trace.sites)
        if (chosen(each.instruction)) sites.push_back({.site = each.site, .place = {}});
    return sum(sites);
}

}  // namespace

KernelCounters sum_of_drawn(const MachineTrace& trace) {
    return sum_of(trace, [&](std::size_t i) { return i < trace.drawn.size() && trace.drawn[i]; });
}

KernelCounters sum_of_doubtful(const MachineTrace& trace) {
    return sum_of(trace,
                  [&](std::size_t i) { return i < trace.counts.size() && trace.counts[i].doubtful_places != 0; });
}

KernelCounters countable(const MachineKernel& kernel) {
    constexpr GlobalCounters kGlobal{.requests = 1, .sectors = 1, .ideal_sectors = 1, .served_sectors = 1};
    constexpr SharedCounters kShared{.requests = 1, .wavefronts = 1, .ideal_wavefronts = 1};
    constexpr LocalCounters kLocal{.requests = 1, .lanes = 1};
    KernelCounters counted;
    counted.branch = {.entries = 2, .lanes = 2, .branches = 2, .divergent = 1};
    for (const MachineInstruction& instruction : kernel.instructions) {
        if (pipe_of(instruction) != Pipe::memory) continue;
        const std::string_view name = std::string_view(instruction.name).substr(0, instruction.name.find('.'));
        const auto is = [&](auto... names) { return ((name == names) || ...); };
        if (is("SHFL", "CCTL", "MEMBAR", "LDC", "LDGDEPBAR", "TEX", "TLD", "TLD4")) continue;
        // What is not known here may do all of it, like what is told the space by its address.
        const bool atomic = is("ATOM", "ATOMG", "RED", "REDG"), load = is("LD"), store = is("ST");
        const bool any =
            !atomic && !load && !store && !is("LDG", "LDS", "LDSM", "LDL", "LDGSTS", "STG", "STS", "STL", "ATOMS");
        if (any || load || is("LDG", "LDGSTS")) counted.global_loads = kGlobal;
        if (any || store || is("STG")) counted.global_stores = kGlobal;
        if (any || atomic) counted.global_atomics = counted.global_reductions = kGlobal;
        if (any || load || is("LDS", "LDSM")) counted.shared_loads = kShared;
        if (any || store || is("STS", "LDGSTS")) counted.shared_stores = kShared;
        if (any || is("ATOM", "ATOMS")) counted.shared_atomics = kShared;
        if (any || load || is("LDL")) counted.local_loads = kLocal;
        if (any || store || is("STL")) counted.local_stores = kLocal;
    }
    return counted;
}

}  // namespace lanework
