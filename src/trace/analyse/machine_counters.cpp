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

}  // namespace lanework
