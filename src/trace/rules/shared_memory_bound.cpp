// The rule about arithmetic that waits for shared memory: each operand is fetched for each use, without a conflict.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kOften = 8;  // requests of a warp

/// The load from shared memory that is executed most often.
const PlacedSite* most_executed(const KernelTrace& launch) {
    const PlacedSite* most = nullptr;
    for (const PlacedSite& placed : launch.sites) {
        if (placed.site.kind != EventKind::load || placed.site.space != Space::shared) continue;
        if (!most || placed.site.shared.requests > most->site.shared.requests) most = &placed;
    }
    return most;
}

void find_shared_memory_bound(const RuleInputs& in, std::vector<Finding>& findings) {
    if (!in.demand || !in.time) return;
    const Demand& d = *in.demand;
    const PlacedSite* const load = most_executed(in.launch);
    const SharedCounters& loads = in.counters.shared_loads;
    const double turns = d.shared_requests / (d.blocks * d.warps_per_block);
    if (!load || turns < kOften || loads.conflicts() * 4 > loads.wavefronts) return;
    if (in.time->part(Bottleneck::shared_memory) < in.time->part(Bottleneck::memory)) return;
    findings.push_back({.rule = Rule::shared_memory_bound,
                        .severity = Severity::advice,
                        .place = load->place,
                        .evidence = fmt::format("each warp reads shared memory {:.0f} times, {} bytes a lane; the "
                                                "passes alone take {:.0f}% of the time",
                                                turns, load->site.bytes,
                                                100 * in.time->part(Bottleneck::shared_memory) / in.time->seconds),
                        .remedy = "Let each thread compute several results, a tile in registers, so that a value that "
                                  "was read serves several of them; read 16 bytes at a time.",
                        .other = {}});
}

/// What stays of the requests: a quarter; but where a tile in registers serves each multiply-add already, what such a
/// tile of 8×8 needs: for 64 multiply-adds 4 requests of 16 bytes. Tensor cores do many in one instruction.
double kept(const Demand& d, const Mending& mending) {
    constexpr double kQuarter = 0.25, kOfATile = 4.0 / 64;
    const double multiply_adds = d.flop_clocks * mending.gpu.multiply_adds_per_clock(mending.dtype) / kLanes;
    if (multiply_adds > instructions_of(d) || d.shared_requests <= 0) return kQuarter;
    return std::clamp(kOfATile * multiply_adds / d.shared_requests, kQuarter, 1.0);
}

void keep_in_registers(Demand& d, const Mending& mending) {
    const double stays = kept(d, mending), fewer = (1 - stays) * d.shared_requests;
    d.shared_requests -= fewer;
    d.shared_wavefronts *= std::max(0.5, stays);
    d.accesses -= std::min(d.accesses, fewer);
    d.instructions -= std::min(d.instructions / 2, fewer);
}

}  // namespace

LANEWORK_COST_RULE(shared_memory_bound,
                   {.find = find_shared_memory_bound, .asks_the_model = true, .mend = keep_in_registers});

}  // namespace lanework
