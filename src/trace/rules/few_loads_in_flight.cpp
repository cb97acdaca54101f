// The rule about loads that are too few at a time to fill the round trips: each warp waits for one before it asks for
// the next, or loads once and then meets the others of its block at barriers.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kManyTurns = 4;      // loads of a warp
constexpr double kManyBarriers = 1;   // of a block that loads less often
constexpr double kMuchWaiting = 0.3;  // of the time: else something else takes it, and hides the waits
constexpr double kLongWait = 80;      // clocks: L1 answers in half as many, and instructions between take longer
constexpr double kMuchMemory = 0.15;  // of the time: else waiting for memory is not what takes it

/// The load that is executed most often.
const PlacedSite* most_executed(const KernelTrace& launch) {
    const PlacedSite* most = nullptr;
    for (const PlacedSite& placed : launch.sites) {
        if (placed.site.kind != EventKind::load || placed.site.space != Space::global) continue;
        if (!most || placed.site.global.requests > most->site.global.requests) most = &placed;
    }
    return most;
}

Finding finding(const PlacedSite& load, std::string evidence, std::string remedy) {
    return {.rule = Rule::few_loads_in_flight,
            .severity = Severity::warning,
            .place = load.place,
            .evidence = std::move(evidence),
            .remedy = std::move(remedy),
            .other = {}};
}

std::string overlapping(const Demand& d, const Gpu& gpu) {
    const double warps = d.warps_on_an_sm(gpu);
    return warps < 1.5 ? "no other warp of its SM overlaps it" : fmt::format("{:.0f} warps of an SM overlap it", warps);
}

double loads_of_a_warp(const Demand& d) { return d.load_requests / (d.blocks * d.warps_per_block); }

/// A warp of the launch loads again and again, rather than a few times in its life.
bool loads_follow_each_other(const Demand& d) { return loads_of_a_warp(d) >= kManyTurns; }

void find_few_loads_in_flight(const RuleInputs& in, std::vector<Finding>& findings) {
    if (!in.demand || !in.time) return;
    const Demand& d = *in.demand;
    const double turns = loads_of_a_warp(d), barriers = d.barriers_of_a_block();
    const PlacedSite* const load = most_executed(in.launch);
    if (!load || in.time->part(Bottleneck::latency) < kMuchWaiting * in.time->seconds) return;
    if (d.load_latency < kLongWait) return;
    if (loads_follow_each_other(d)) {
        findings.push_back(finding(*load,
                                   fmt::format("each warp loads {:.0f} times, {:.0f} bytes a lane, and waits about "
                                               "{:.0f} clocks for each; {}",
                                               turns, d.load_bytes, d.load_latency, overlapping(d, in.gpu)),
                                   "Ask for several values before the first is used: unroll the loop, load 16 bytes at "
                                   "a time, or let each thread work on independent elements."));
    } else if (in.time->bound() == Bottleneck::latency && barriers >= kManyBarriers &&
               in.time->part(Bottleneck::memory) >= kMuchMemory * in.time->seconds) {
        findings.push_back(finding(*load,
                                   fmt::format("each warp loads {:.1f} times, {:.0f} bytes a lane, and then waits at "
                                               "{:.0f} barrier{} of its block, while its SM asks memory for nothing",
                                               turns, d.load_bytes, barriers, barriers < 1.5 ? "" : "s"),
                                   "Let each thread load and combine several elements before the first barrier: fewer "
                                   "blocks pass the barriers, and more bytes are on their way."));
    }
}

/// Four loads of a warp are on their way together; where it has but a few, a warp does the work of four.
void load_more_at_a_time(Demand& d, const Mending&) {
    constexpr double kTogether = 4;
    if (loads_follow_each_other(d)) {
        d.load_latency /= kTogether;
        return;
    }
    d.blocks = std::max(1.0, d.blocks / kTogether);
    for (double Demand::*const falls : {&Demand::barriers, &Demand::meetings, &Demand::shared_requests,
                                        &Demand::shared_wavefronts, &Demand::store_requests})
        d.*falls /= kTogether;
    for (double Demand::*const falls :
         {&Demand::instructions, &Demand::steps, &Demand::accesses, &Demand::host_instructions})
        d.*falls /= 2;
}

}  // namespace

LANEWORK_COST_RULE(few_loads_in_flight,
                   {.find = find_few_loads_in_flight, .asks_the_model = true, .mend = load_more_at_a_time});

}  // namespace lanework
