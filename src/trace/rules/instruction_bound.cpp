// The rule about instructions: what is computed around the accesses, indices and weights above all, takes the time.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kOfTheTime = 0.3;
// As written a multiply-add is two instructions; those of integers share one pipe.
constexpr double kMoreThanArithmetic = 2.5, kMoreMultiplications = 1.5;

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

/// The algorithm's multiply-adds, as instructions of warps.
double arithmetic_of(const Demand& d, const Gpu& gpu, DType dtype) {
    return d.flop_clocks * gpu.multiply_adds_per_clock(dtype) / kLanes;
}

/// Those of integers, as written; with machine code, what its busiest pipe would take of them.
double multiplications_of(const Demand& d) { return 2 * d.pipe_clocks; }

/// Seconds of the round trips that are a warp's own instructions, each waited for by the next.
double chain_part(const RuleInputs& in) {
    Demand rest = *in.demand;
    rest.instructions = rest.host_instructions = rest.steps = rest.accesses = 0;
    const double without = time_of({&rest, 1}, in.gpu).part(Bottleneck::latency);
    return std::max(0.0, in.time->part(Bottleneck::latency) - without);
}

void find_instruction_bound(const RuleInputs& in, std::vector<Finding>& findings) {
    if (!in.demand || !in.time) return;
    const Demand& d = *in.demand;
    const PlacedSite* const place = heaviest(in.launch);
    const double computing = in.time->part(Bottleneck::compute);
    const double waiting = chain_part(in);
    const Bottleneck bound = in.time->bound();
    const bool moves = bound == Bottleneck::memory || bound == Bottleneck::l2;  // what is computed hides behind that
    if (!place || moves || std::max(computing, waiting) < kOfTheTime * in.time->seconds) return;
    const double instructions = instructions_of(d);
    const double arithmetic = arithmetic_of(d, in.gpu, in.dtype);
    if (instructions < kMoreThanArithmetic * arithmetic && multiplications_of(d) < kMoreMultiplications * arithmetic)
        return;  // the algorithm's own
    const double moved = d.load_requests + d.store_requests + d.atomic_requests;
    findings.push_back(
        {.rule = Rule::instruction_bound,
         .severity = Severity::advice,
         .place = place->place,
         .evidence =
             fmt::format("{} takes {:.0f}% of the time: about {:.0f} instructions for each access to global memory",
                         computing >= waiting ? "issuing them alone" : "waiting for one after the other in a warp",
                         100 * std::max(computing, waiting) / in.time->seconds, instructions / std::max(1.0, moved)),
         .remedy =
             "Compute once what neighbouring elements share (indices, weights, addresses), let a thread do several "
             "elements, and use narrower arithmetic: 32-bit indices, float for double, two halves or four bytes "
             "at a time.",
         .other = {}});
}

/// Half of them, but not the algorithm's own.
void halve_instructions(Demand& d, const Mending& mending) {
    const double arithmetic = arithmetic_of(d, mending.gpu, mending.dtype);
    const auto kept = [&](double now) { return now <= 0 ? 1 : std::min(1.0, std::max(0.5, arithmetic / now)); };
    d.pipe_clocks *= kept(multiplications_of(d));
    const double of_all = kept(instructions_of(d));
    d.instructions *= of_all;
    d.host_instructions *= of_all;
    d.steps *= of_all;
}

}  // namespace

LANEWORK_COST_RULE(instruction_bound,
                   {.find = find_instruction_bound, .asks_the_model = true, .mend = halve_instructions});

}  // namespace lanework
