// The rule about loads that follow each other: each warp waits for one before it asks for the next, and the warps of an
// SM are too few to fill the time.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rules.hpp"

namespace lanework {
namespace {

constexpr double kManyTurns = 4;  // loads of a warp

/// The load that is executed most often.
const PlacedSite* most_executed(const KernelTrace& launch) {
    const PlacedSite* most = nullptr;
    for (const PlacedSite& placed : launch.sites) {
        if (placed.site.kind != EventKind::load || placed.site.space != Space::global) continue;
        if (!most || placed.site.global.requests > most->site.global.requests) most = &placed;
    }
    return most;
}

}  // namespace

void find_few_loads_in_flight(const RuleInputs& in, std::vector<Finding>& findings) {
    if (!in.demand || !in.time) return;
    const Demand& d = *in.demand;
    const double turns = d.load_requests / (d.blocks * d.warps_per_block);
    const PlacedSite* const load = most_executed(in.launch);
    if (!load || turns < kManyTurns || in.time->bound() != Bottleneck::latency) return;
    findings.push_back(
        {.rule = Rule::few_loads_in_flight,
         .severity = Severity::warning,
         .place = load->place,
         .evidence = fmt::format("each warp loads {:.0f} times, {:.0f} bytes a lane, and waits about "
                                 "{:.0f} clocks for each; {:.0f} warps of an SM overlap it",
                                 turns, d.load_bytes, d.load_latency, d.resident_blocks * d.warps_per_block),
         .remedy = "Ask for several values before the first is used: unroll the loop, load 16 bytes at "
                   "a time, or let each thread work on independent elements.",
         .other = {}});
}

}  // namespace lanework
