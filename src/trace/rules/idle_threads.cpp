// The rule about threads that have nothing to do: lanes that left or wait while the rest of their warp goes on.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kIdle = 0.15;  // of the lanes of all basic blocks

/// The basic block in which most lanes idle.
const PlacedSite* emptiest(const KernelTrace& launch) {
    const PlacedSite* most = nullptr;
    const auto idle = [](const PlacedSite& placed) {
        return placed.site.branch.entries * kLanes - placed.site.branch.lanes;
    };
    for (const PlacedSite& placed : launch.sites)
        if (placed.site.kind == EventKind::path && !placed.emulates && placed.place.line != 0 &&
            (!most || idle(placed) > idle(*most)))
            most = &placed;
    return most;
}

void find_idle_threads(const RuleInputs& in, std::vector<Finding>& findings) {
    BranchCounters branch;
    for (const PlacedSite& placed : in.launch.sites)
        if (!placed.emulates) branch.add(placed.site.branch);
    const PlacedSite* const most = emptiest(in.launch);
    if (!most || branch.entries == 0) return;
    const double idle = 1 - static_cast<double>(branch.lanes) / static_cast<double>(branch.entries * kLanes);
    if (idle < kIdle) return;
    findings.push_back(
        {.rule = Rule::idle_threads,
         .severity = Severity::advice,
         .place = most->place,
         .evidence =
             fmt::format("{:.0f}% of the lanes idle while their warps go on; here {:.1f} of 32 take part", 100 * idle,
                         static_cast<double>(most->site.branch.lanes) /
                             static_cast<double>(std::max<std::uint64_t>(most->site.branch.entries, 1))),
         .remedy = "Let neighbouring threads do what is left, so that whole warps end, give each thread more elements "
                   "first, or finish in registers with shuffles.",
         .other = {}});
}

void take_part(Demand& d, const Mending& mending) {
    fill_lanes(d, share(mending.all.branch.lanes, mending.all.branch.entries * kLanes));
}

}  // namespace

LANEWORK_COST_RULE(idle_threads, {.find = find_idle_threads, .asks_the_model = true, .mend = take_part});

}  // namespace lanework
