// The rule about atomic operations that wait for each other: at one address of the whole launch, or within a warp's
// request in shared memory.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kManyUpdates = 64;  // of one place
constexpr double kOfABlock = 2;
constexpr double kManyCollisions = 0.5;  // of the requests

/// The site that updates most.
const PlacedSite* busiest(const KernelTrace& launch, Space space) {
    const PlacedSite* most = nullptr;
    const auto lanes = [&](const PlacedSite& placed) {
        return space == Space::global ? placed.site.global.lanes : placed.site.shared.lanes;
    };
    for (const PlacedSite& placed : launch.sites) {
        const bool updates = placed.site.kind == EventKind::atomic || placed.site.kind == EventKind::reduction;
        if (updates && placed.site.space == space && (!most || lanes(placed) > lanes(*most))) most = &placed;
    }
    return most;
}

void find_contended_atomics(const RuleInputs& in, std::vector<Finding>& findings) {
    const LaunchPace& pace = in.launch.pace;
    const PlacedSite* const global = busiest(in.launch, Space::global);
    // One or two of each block are what is left when threads and warps agreed before.
    const double turns = static_cast<double>(pace.hottest_turns);
    const bool once_a_block = turns <= kOfABlock * static_cast<double>(in.launch.shape.blocks());
    if (global && turns >= kManyUpdates && !once_a_block)
        findings.push_back(
            {.rule = Rule::contended_atomics,
             .severity = Severity::warning,
             .place = global->place,
             .evidence = fmt::format("512 neighbouring bytes are updated in {} turns and {} sectors, one "
                                     "after the other",
                                     pace.hottest_turns, pace.hottest_sectors),
             .remedy = "Add up in registers, in the warp or in the block's shared memory first, and let "
                       "one thread of each block update global memory.",
             .other = {}});
    const PlacedSite* const shared = busiest(in.launch, Space::shared);
    if (shared && static_cast<double>(pace.shared_collisions) >=
                      kManyCollisions * static_cast<double>(in.counters.shared_atomics.requests))
        findings.push_back({.rule = Rule::contended_atomics,
                            .severity = Severity::advice,
                            .place = shared->place,
                            .evidence = fmt::format("{} lanes find another of their request at the same address of "
                                                    "shared memory, in {} requests",
                                                    pace.shared_collisions, in.counters.shared_atomics.requests),
                            .remedy = "Give each warp or thread counters of its own, or let the lanes of a warp agree "
                                      "(__match_any_sync) and one of them update for all.",
                            .other = {}});
}

}  // namespace

void update_once(Demand& d, const Mending& mending) {
    if (mending.here.shared_atomics.requests != 0) {
        d.shared_turns = 0;
        return;
    }
    const double per_block = std::max(1.0, d.atomic_requests / d.blocks);
    constexpr double kSectors = 16;  // of the busiest region
    d.hottest_turns = std::min(d.hottest_turns, d.blocks);
    d.hottest_sectors = std::min(d.hottest_sectors, kSectors * d.blocks);
    d.atomic_requests /= per_block;
    d.atomic_addresses /= per_block;
    d.shared_requests += d.atomic_requests * (per_block - 1);
    d.shared_atomic_wavefronts += d.atomic_requests * (per_block - 1);
}

LANEWORK_COST_RULE(contended_atomics, {.find = find_contended_atomics, .asks_the_model = true, .mend = update_once});

}  // namespace lanework
