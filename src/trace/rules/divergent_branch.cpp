// The rule about branches at which the lanes of a warp part.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kOftenDivergent = 0.10, kCostlyBranch = 0.02, kVeryCostlyBranch = 0.10;

void find_divergent_branch(const RuleInputs& in, const PlacedSite& placed, std::vector<Finding>& findings) {
    const BranchCounters& counted = placed.site.branch;
    if (counted.branches == 0 || placed.emulates) return;
    const BranchCounters& all = in.counters.branch;
    const double often = static_cast<double>(counted.divergent) / static_cast<double>(counted.branches);
    // The lanes that idle in the kernel's blocks, by where lanes part.
    const double idle = 1 - static_cast<double>(all.lanes) / static_cast<double>(all.entries * kLanes);
    const double weight = idle * static_cast<double>(counted.divergent) / static_cast<double>(all.divergent);
    if (often < kOftenDivergent || weight < kCostlyBranch) return;
    findings.push_back(
        {.rule = Rule::divergent_branch,
         .severity = weight >= kVeryCostlyBranch ? Severity::warning : Severity::advice,
         .place = placed.place,
         .evidence = fmt::format("the lanes of a warp part {} of {} times here, {:.0f}%; both ways then run "
                                 "one after the other",
                                 counted.divergent, counted.branches, 100 * often),
         .remedy = "Give whole warps the same way: branch on the warp's index instead of the lane's, or "
                   "sort the work; short ways can be computed both and selected.",
         .weight = weight,
         .other = {}});
}

void keep_together(Demand& d, const Mending& mending) {
    const BranchCounters &here = mending.here.branch, &all = mending.all.branch;
    fill_lanes(d, 1 - (1 - share(all.lanes, all.entries * kLanes)) * share(here.divergent, all.divergent));
}

}  // namespace

LANEWORK_COST_RULE(divergent_branch, {.find_at = find_divergent_branch, .mend = keep_together});

}  // namespace lanework
