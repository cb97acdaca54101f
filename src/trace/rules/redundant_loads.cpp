// The rule about bytes that a block loads again: a tile in shared memory would keep them.
#include <fmt/format.h>

#include <algorithm>

#include "src/gpu/memory_units.hpp"
#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kReloaded = 0.5;     // of the sectors
constexpr double kUncoalesced = 2.0;  // sectors ÷ the sectors that would do: then the pattern is the cause

/// Not the sectors of a pattern alone: the launch asks for bytes that it had.
bool loads_bytes_again(const RuleInputs& in) {
    constexpr double kTimes = 1.3;
    return in.launch.footprint_read != 0 && static_cast<double>(in.counters.global_loads.bytes) >=
                                                kTimes * static_cast<double>(in.launch.footprint_read);
}

void find_redundant_loads(const RuleInputs& in, const PlacedSite& placed, std::vector<Finding>& findings) {
    const bool fetch = placed.site.space == Space::texture;
    if (placed.site.space != Space::global && !fetch) return;
    const GlobalCounters& counted = placed.site.global;
    const double repeated = per(counted.repeated_sectors, counted.sectors);
    if ((placed.site.kind != EventKind::load && !fetch) || repeated < kReloaded) return;
    if (per(counted.sectors, counted.ideal_sectors) >= kUncoalesced && !loads_bytes_again(in)) return;
    const double weight =
        static_cast<double>(counted.repeated_sectors) * clocks_per_sector(in.gpu) / memory_clocks(in.counters, in.gpu);
    if (weight < kSeriousCost && !fetch) return;
    findings.push_back(
        {.rule = Rule::redundant_loads,
         .severity = Severity::warning,
         .place = placed.place,
         .evidence = fmt::format("{:.0f}% of the sectors had been loaded by the same block before", 100 * repeated),
         .remedy = "Load a tile into shared memory or registers once and let the block read it there.",
         .weight = std::min(1.0, weight),
         .other = {}});
}

/// The lines of a tile are loaded once and read from shared memory.
void stage(Demand& d, const Mending& mending) {
    const KernelCounters &here = mending.here, &all = mending.all;
    const double again = share(here.global_loads.repeated_sectors, here.global_loads.sectors) *
                         share(here.global_loads.requests, all.global_loads.requests);
    const double requests = d.load_requests * again;
    const double fetches = d.texture_requests *
                           share(here.texture_fetches.repeated_sectors, here.texture_fetches.sectors) *
                           share(here.texture_fetches.requests, all.texture_fetches.requests);
    d.texture_requests -= fetches;
    d.load_requests -= requests;
    d.load_lines *= 1 - again;
    d.l2_read_sectors *= 1 - share(here.global_loads.repeated_sectors, all.global_loads.sectors);
    d.l2_read_lines *= 1 - share(here.global_loads.repeated_sectors, all.global_loads.sectors);
    d.memory_read_sectors = std::min(d.memory_read_sectors, std::max(d.first_read_sectors, d.l2_read_sectors));
    // What the block stores and loads again goes to memory once.
    const double once = static_cast<double>(mending.launch.footprint_written) / kSectorBytes;
    const auto stored = static_cast<double>(all.global_stores.sectors);
    const double stays = stored > once && once > 0 ? 1 - (1 - once / stored) * share(here.global_loads.repeated_sectors,
                                                                                     all.global_loads.repeated_sectors)
                                                   : 1;
    for (double Demand::*const falls : {&Demand::store_requests, &Demand::store_lines, &Demand::written_sectors,
                                        &Demand::written_lines, &Demand::partly_written_sectors})
        d.*falls *= stays;
    d.memory_written_sectors = std::min(d.memory_written_sectors, std::max(once, d.written_sectors));
    d.shared_requests += requests + fetches;
    d.shared_wavefronts += requests + fetches;
}

}  // namespace

LANEWORK_COST_RULE(redundant_loads, {.find_at = find_redundant_loads, .mend = stage});

}  // namespace lanework
