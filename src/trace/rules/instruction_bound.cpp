// The rule about instructions: what is computed around the accesses, indices and weights above all, takes the time.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kOfTheTime = 0.5, kMoreThanArithmetic = 4;

/// The basic block whose code is executed most, by its length.
const PlacedSite* heaviest(const KernelTrace& launch) {
    const PlacedSite* most = nullptr;
    const auto weight = [](const PlacedSite& placed) {
        return static_cast<double>(placed.site.branch.entries) * static_cast<double>(placed.code_bytes);
    };
    for (const PlacedSite& placed : launch.sites)
        if (placed.site.kind == EventKind::path && !placed.emulates && placed.place.line != 0 &&
            (!most || weight(placed) > weight(*most)))
            most = &placed;
    return most;
}

void find(const RuleInputs& in, std::vector<Finding>& findings) {
    if (!in.demand || !in.time) return;
    const Demand& d = *in.demand;
    const PlacedSite* const place = heaviest(in.launch);
    const double computing = in.time->part(Bottleneck::compute);
    if (!place || in.time->bound() != Bottleneck::compute || computing < kOfTheTime * in.time->seconds) return;
    const double instructions = instructions_of(d);
    const double arithmetic = d.flop_clocks * in.gpu.multiply_adds_per_clock(in.dtype) / kLanes;
    if (instructions < kMoreThanArithmetic * arithmetic) return;  // the algorithm's own
    const double moved = d.load_requests + d.store_requests + d.atomic_requests;
    findings.push_back(
        {.rule = Rule::instruction_bound,
         .severity = Severity::advice,
         .place = place->place,
         .evidence =
             fmt::format("issuing instructions alone takes {:.0f}% of the time: about {:.0f} for each access to "
                         "global memory",
                         100 * computing / in.time->seconds, instructions / std::max(1.0, moved)),
         .remedy =
             "Compute once what neighbouring elements share (indices, weights, addresses), let a thread do several "
             "elements, and use narrower arithmetic: 32-bit indices, float for double, two halves or four bytes "
             "at a time.",
         .other = {}});
}

void halve_instructions(Demand& d, const Mending&) {
    d.instructions /= 2;
    d.host_instructions /= 2;
    d.steps /= 2;
}

}  // namespace

LANEWORK_COST_RULE(instruction_bound, {.find = find, .asks_the_model = true, .mend = halve_instructions});

}  // namespace lanework
