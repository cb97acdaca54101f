// The rule about bytes that a block loads again: a tile in shared memory would keep them.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kReloaded = 0.5;     // of the sectors
constexpr double kUncoalesced = 2.0;  // sectors ÷ the sectors that would do: then the pattern is the cause

void find_at(const RuleInputs& in, const PlacedSite& placed, std::vector<Finding>& findings) {
    if (placed.site.space != Space::global) return;
    const GlobalCounters& counted = placed.site.global;
    const double repeated = per(counted.repeated_sectors, counted.sectors);
    if (placed.site.kind != EventKind::load || repeated < kReloaded) return;
    if (per(counted.sectors, counted.ideal_sectors) >= kUncoalesced) return;
    const double weight =
        static_cast<double>(counted.repeated_sectors) * clocks_per_sector(in.gpu) / memory_clocks(in.counters, in.gpu);
    if (weight < kSeriousCost) return;
    findings.push_back(
        {.rule = Rule::redundant_loads,
         .severity = Severity::warning,
         .place = placed.place,
         .evidence = fmt::format("{:.0f}% of the sectors had been loaded by the same block before", 100 * repeated),
         .remedy = "Load a tile into shared memory or registers once and let the block read it there.",
         .weight = weight,
         .other = {}});
}

/// The lines of a tile are loaded once and read from shared memory.
void stage(Demand& d, const Mending& mending) {
    const KernelCounters &here = mending.here, &all = mending.all;
    const double again = share(here.global_loads.repeated_sectors, here.global_loads.sectors) *
                         share(here.global_loads.requests, all.global_loads.requests);
    const double requests = d.load_requests * again;
    d.load_requests -= requests;
    d.load_lines *= 1 - again;
    d.l2_read_sectors *= 1 - share(here.global_loads.repeated_sectors, all.global_loads.sectors);
    d.l2_read_lines *= 1 - share(here.global_loads.repeated_sectors, all.global_loads.sectors);
    d.memory_read_sectors = std::min(d.memory_read_sectors, std::max(d.first_read_sectors, d.l2_read_sectors));
    d.shared_requests += requests;
    d.shared_wavefronts += requests;
}

}  // namespace

LANEWORK_COST_RULE(redundant_loads, {.find_at = find_at, .mend = stage});

}  // namespace lanework
