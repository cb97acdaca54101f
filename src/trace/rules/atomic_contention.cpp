// The rule about lanes of one request that update one address of global memory.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

void find_atomic_contention(const RuleInputs& in, const PlacedSite& placed, std::vector<Finding>& findings) {
    if (placed.site.space != Space::global) return;
    const GlobalCounters& counted = placed.site.global;
    if (placed.site.kind != EventKind::atomic && placed.site.kind != EventKind::reduction) return;
    const double lanes = per(counted.lanes, counted.distinct_addresses);
    if (lanes < 2) return;
    const double weight = std::min(1.0, static_cast<double>(counted.lanes) / memory_clocks(in.counters, in.gpu));
    if (weight < kWorthSayingCost) return;
    findings.push_back({.rule = Rule::atomic_contention,
                        .severity = weight >= kSeriousCost ? Severity::warning : Severity::advice,
                        .place = placed.place,
                        .evidence = fmt::format("{:.1f} lanes of a request update one address, {} at most", lanes,
                                                counted.most_lanes_per_address),
                        .remedy = "Combine within the warp (shuffles) or the block (shared memory) first, then update "
                                  "once.",
                        .weight = weight,
                        .other = {}});
}

}  // namespace

LANEWORK_COST_RULE(atomic_contention, {.find_at = find_atomic_contention, .mend = update_once});

}  // namespace lanework
