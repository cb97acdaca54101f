// The rule about a chain of arithmetic: a short loop without loads, in which each turn waits for the one before, and a
// thread has but one such chain.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kManyTurns = 16;         // of a warp
constexpr std::uint64_t kShortTurn = 64;  // bytes of this processor's code
constexpr double kMostOfAll = 0.5;        // of the basic blocks that warps enter

/// The basic block that is entered most often.
const PlacedSite* most_entered(const KernelTrace& launch) {
    const PlacedSite* most = nullptr;
    for (const PlacedSite& placed : launch.sites) {
        if (placed.site.kind != EventKind::path || placed.emulates || placed.place.line == 0) continue;
        if (!most || placed.site.branch.entries > most->site.branch.entries) most = &placed;
    }
    return most;
}

double entries(const PlacedSite& placed) { return static_cast<double>(placed.site.branch.entries); }

/// Accesses to memory in the loop, by the warp's turn.
double accesses_in_loop(const KernelTrace& launch, const PlacedSite& loop) {
    double requests = 0;
    for (const PlacedSite& placed : launch.sites) {
        const Site& site = placed.site;
        const auto made = static_cast<double>(site.global.requests + site.shared.requests);
        if (2 * made >= entries(loop)) requests += made;
    }
    return requests / entries(loop);
}

void find_dependent_arithmetic(const RuleInputs& in, std::vector<Finding>& findings) {
    if (!in.demand || !in.time) return;
    const PlacedSite* const loop = most_entered(in.launch);
    const double all = static_cast<double>(in.launch.counters().branch.entries);
    const auto warps =
        static_cast<double>(in.launch.shape.blocks()) * static_cast<double>(in.launch.shape.warps_per_block());
    if (!loop) return;
    if (entries(*loop) < kManyTurns * warps || entries(*loop) < kMostOfAll * all || loop->code_bytes > kShortTurn)
        return;
    if (accesses_in_loop(in.launch, *loop) > 0) return;
    findings.push_back({.rule = Rule::dependent_arithmetic,
                        .severity = Severity::advice,
                        .place = loop->place,
                        .evidence = fmt::format("each warp takes about {:.0f} short turns of this loop, which loads "
                                                "nothing but constants: a turn waits for the result of the one before",
                                                entries(*loop) / warps),
                        .remedy = "Let a thread carry several independent elements through the loop, and unroll it: "
                                  "their instructions fill the waits, and they share the loop's own.",
                        .other = {}});
}

/// Four elements share a turn, and the constants that it reads.
void share_turns(Demand& d, const Mending&) {
    d.steps /= 4;
    d.instructions /= 2;
    d.host_instructions /= 2;
    d.constant_passes /= 4;
}

}  // namespace

LANEWORK_COST_RULE(dependent_arithmetic,
                   {.find = find_dependent_arithmetic, .asks_the_model = true, .mend = share_turns});

}  // namespace lanework
