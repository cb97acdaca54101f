// The rule about neighbouring elements that are accessed one by one.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kReloaded = 0.5;  // of the sectors that were loaded before
constexpr unsigned kVector = 16;   // bytes

bool unit_stride(const PlacedSite& placed) {
    if (!placed.example) return false;
    const auto pattern = pattern_of(*placed.example);
    return pattern && pattern->row_lanes == kLanes && pattern->lane_step == placed.example->bytes;
}

/// Lanes are a few elements apart, and what lies between is loaded by other turns: a lane's elements are neighbours.
bool side_by_side(const PlacedSite& placed) {
    constexpr std::int64_t kFewBytes = 4 * kVector;
    if (!placed.example || placed.site.kind != EventKind::load) return false;
    const auto pattern = pattern_of(*placed.example);
    return pattern && pattern->row_lanes == kLanes && pattern->lane_step > placed.example->bytes &&
           pattern->lane_step <= kFewBytes &&
           per(placed.site.global.repeated_sectors, placed.site.global.sectors) >= kReloaded;
}

void find_at(const RuleInputs& in, const PlacedSite& placed, std::vector<Finding>& findings) {
    if (placed.site.space != Space::global) return;
    const Site& site = placed.site;
    const bool plain = site.kind == EventKind::load || site.kind == EventKind::store;
    const bool of_lane = side_by_side(placed);
    if (!plain || site.bytes * 2 > kVector || (!unit_stride(placed) && !of_lane)) return;
    const double weight =
        static_cast<double>(site.global.sectors) * clocks_per_sector(in.gpu) / memory_clocks(in.counters, in.gpu);
    if (weight < kSeriousCost) return;
    findings.push_back(
        {.rule = Rule::narrow_vectors,
         .severity = Severity::advice,
         .place = placed.place,
         .evidence = fmt::format("{}, {} byte{} at a time",
                                 of_lane ? "each lane loads elements that lie side by side"
                                         : "neighbouring lanes access neighbouring elements",
                                 site.bytes, site.bytes == 1 ? "" : "s"),
         .remedy = "Access 16 bytes per lane (int4, float4): fewer instructions, more bytes on their way.",
         .weight = weight * kWorthSayingCost,  // it may help; everything above does
         .other = {}});
}

/// Vectors of 16 bytes instead of elements. A lane then does neighbouring elements, which share the index arithmetic.
void widen(Demand& d, const Mending& mending) {
    const KernelCounters &here = mending.here, &all = mending.all;
    constexpr double kIndexing = 16, kMostIndexing = 0.5;  // instructions that go with an access; a part of all
    constexpr double kMostElements = 4;                    // of a lane
    const auto fewer = [](const GlobalCounters& at) {
        const double bytes = at.lanes == 0 ? kVector : static_cast<double>(at.bytes) / static_cast<double>(at.lanes);
        return 1 - std::max(1 / kMostElements, std::min(1.0, bytes / kVector));
    };
    const double loads = fewer(here.global_loads) * share(here.global_loads.requests, all.global_loads.requests);
    const double stores = fewer(here.global_stores) * share(here.global_stores.requests, all.global_stores.requests);
    const double requests = d.load_requests * loads + d.store_requests * stores;
    const double now = instructions_of(d);
    const double kept =
        now == 0 ? 1 : 1 - std::min(kMostIndexing * std::max(loads, stores), kIndexing * requests / now);
    d.instructions *= kept;
    d.host_instructions *= kept;
    d.steps *= kept;
    d.accesses -= std::min(d.accesses, requests);
    d.load_requests *= 1 - loads;
    d.store_requests *= 1 - stores;
}

}  // namespace

LANEWORK_COST_RULE(narrow_vectors, {.find_at = find_at, .picture = Space::global, .mend = widen});

}  // namespace lanework
