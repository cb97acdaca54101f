// The rule about blocks that are no whole warps, or so small that an SM cannot hold enough of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kMuchLost = 0.25, kLeastWeight = 0.01;

void find_block_size(const RuleInputs& in, std::vector<Finding>& findings) {
    const unsigned threads = in.launch.shape.threads_per_block();
    const unsigned idle = (kLanes - threads % kLanes) % kLanes;
    std::string evidence;
    if (idle != 0) {
        evidence = fmt::format("blocks of {} thread{} leave {} of {} lanes unused in their last warp", threads,
                               threads == 1 ? "" : "s", idle, static_cast<unsigned>(kLanes));
    } else if (threads < static_cast<unsigned>(kSensibleThreads)) {
        const Capability& sm = in.gpu.limits();
        const unsigned held = static_cast<unsigned>(sm.blocks_per_sm) * threads / static_cast<unsigned>(kLanes);
        // Each has an SM of its own, and begins at once.
        if (in.launch.shape.blocks() <= static_cast<std::uint64_t>(in.gpu.sms)) return;
        // What else limits them keeps as many warps out.
        const bool by_number = limiters(occupancy(sm, in.resources)) == std::vector{Limiter::blocks};
        evidence = fmt::format("blocks of {} threads are small: ", threads) +
                   (by_number ? fmt::format("an SM holds at most {} blocks, which are {} of its {} warps",
                                            sm.blocks_per_sm, held, sm.warps_per_sm)
                              : fmt::format("each of {} blocks is started by itself", in.launch.shape.blocks()));
    } else {
        return;
    }
    const double lost = static_cast<double>(idle) / (threads + idle);
    findings.push_back({.rule = Rule::block_size,
                        .severity = lost > kMuchLost ? Severity::warning : Severity::advice,
                        .place = place_of(in.launch.shape),
                        .evidence = std::move(evidence),
                        .remedy = "Use a multiple of 32 threads, 128 to 256 to begin with, then measure others.",
                        .weight = std::max(lost, kLeastWeight),
                        .other = {}});
}

/// Whole warps, and blocks put together until they are of a sensible size: there are fewer to start, and an SM holds as
/// many warps as their shared memory and registers let in, of which blocks put together need as much.
void take_whole_warps(Demand& d, const Mending& mending) {
    const double warps = std::max(d.room_for_warps, d.resident_blocks * d.warps_per_block);
    fill_lanes(d, static_cast<double>(mending.launch.shape.threads_per_block()) / (kLanes * d.warps_per_block));
    const double together = std::max(1.0, std::floor(kSensibleThreads / (kLanes * d.warps_per_block)));
    d.blocks = std::max(1.0, d.blocks / together);
    d.warps_per_block *= together;
    d.barriers /= together;
    d.resident_blocks = std::max(1.0, std::floor(warps / d.warps_per_block));
}

}  // namespace

LANEWORK_COST_RULE(block_size, {.find = find_block_size, .mend = take_whole_warps});

}  // namespace lanework
