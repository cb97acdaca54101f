// The rule about warps that do not fit on an SM.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kLowOccupancy = 0.5, kVeryLowOccupancy = 0.25;
constexpr double kWeight = 0.02;  // of a kernel whose SMs are empty

void find_low_occupancy(const RuleInputs& in, std::vector<Finding>& findings) {
    const Capability& sm = in.gpu.limits();
    const Occupancy now = occupancy(sm, in.resources);
    if (now.impossible != Impossible::no || now.fraction >= kLowOccupancy) return;
    const std::string unknown = in.resources.registers_per_thread == 0 ? "; its registers are not known here" : "";
    findings.push_back(
        {.rule = Rule::low_occupancy,
         .severity = now.fraction < kVeryLowOccupancy ? Severity::warning : Severity::advice,
         .place = place_of(in.launch.shape),
         .evidence = fmt::format("{} of {} warps fit on an SM ({:.0f}%), limited by {}{}", now.warps, sm.warps_per_sm,
                                 100 * now.fraction, describe_limit(sm, in.resources, now), unknown),
         .remedy = "Use less of what limits it, or another block size: `lanework occupancy` shows the curve. "
                   "Much work in flight per thread can make up for few warps.",
         .weight = kWeight * (1 - now.fraction),
         .other = {}});
}

void fit_all_warps(Demand& d, const Mending& mending) {
    d.resident_blocks = std::max(d.resident_blocks, std::floor(mending.gpu.limits().warps_per_sm / d.warps_per_block));
}

}  // namespace

LANEWORK_COST_RULE(low_occupancy, {.find = find_low_occupancy, .mend = fit_all_warps});

}  // namespace lanework
