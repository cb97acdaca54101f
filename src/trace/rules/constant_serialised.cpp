// The rule about lanes that read different addresses of constant memory at once.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kSeveral = 1.1;  // addresses of a request

void find_constant_serialised(const RuleInputs& in, const PlacedSite& placed, std::vector<Finding>& findings) {
    if (placed.site.space != Space::constant) return;
    const ConstantCounters& counted = placed.site.constant;
    const double addresses = per(counted.distinct_addresses, counted.requests);
    if (addresses < kSeveral) return;
    const double weight =
        static_cast<double>(counted.distinct_addresses - counted.requests) / memory_clocks(in.counters, in.gpu);
    if (weight < kWorthSayingCost) return;
    findings.push_back({.rule = Rule::constant_serialised,
                        .severity = weight >= kSeriousCost ? Severity::warning : Severity::advice,
                        .place = placed.place,
                        .evidence = fmt::format("a warp reads {:.1f} different addresses of constant memory at once, "
                                                "which takes as many passes",
                                                addresses),
                        .remedy =
                            "Index constant memory alike in all lanes; keep tables that lanes index apart in shared "
                            "memory.",
                        .weight = weight,
                        .other = {}});
}

void read_alike(Demand& d, const Mending& mending) {
    const ConstantCounters& here = mending.here.constant;
    d.constant_passes *= 1 - share(here.distinct_addresses - here.requests, mending.all.constant.distinct_addresses);
}

}  // namespace

LANEWORK_COST_RULE(constant_serialised, {.find_at = find_constant_serialised, .mend = read_alike});

}  // namespace lanework
