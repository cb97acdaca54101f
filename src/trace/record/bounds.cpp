// Shared memory has its size only when a launch has ended: until then the furthest access of each site is kept.
#include "src/trace/record/bounds.hpp"

#include <algorithm>

#include "src/trace/record/site_table.hpp"
#include "src/trace/record/vector_access.hpp"

namespace lanework {
Hazard Bounds::of(Rule rule, const Request& request, unsigned lane, std::uint64_t address) const {
    return {.rule = rule,
            .site = AccessSite::of(*request.site),
            .thread = {request.block, request.warp * kLanes + lane},
            .address = address};
}

void Bounds::outside(const Request& request, const Run& lane) {
    const Space space = region_of(lane.address).space;
    if (space == Space::local || space == Space::constant) return;
    const Rule rule = book_.was_released(lane.address) ? Rule::use_after_free : Rule::out_of_bounds;
    Hazard hazard = of(rule, request, lane.first_lane, lane.address);
    hazard.nearest = book_.nearest(lane.address);
    list_.add(hazard);
}

/// Further into shared memory than the site did before.
void Bounds::reach(const Request& request, const Run& run) {
    const std::uint64_t end = run.address + run.span();
    const unsigned last = run.one_address ? 0 : run.lanes - 1;
    behind_[request.site->id] = {of(Rule::out_of_bounds, request, run.first_lane + last, end - run.bytes), end};
}

void Bounds::launch_ends(const LaunchShape& shape) {
    const std::size_t bytes = shape.dynamic_shared + shape.static_shared;
    for (Furthest& furthest : behind_) {
        if (furthest.end <= bytes) continue;
        furthest.hazard.nearest = {bytes, static_cast<std::int64_t>(furthest.hazard.address)};
        list_.add(furthest.hazard);
    }
    behind_.clear();
    // Two words of 8 bytes may lie so. Where the code does not say what is accessed, those of an array of structures
    // are told by others that do not.
    for (const auto& [halfway, whole] : wide_) {
        if (!halfway) continue;
        const WideAccess access = wide_access_of_program(halfway->site.pc, halfway->site.kind == EventKind::store);
        if (access == WideAccess::vector || (access == WideAccess::unknown && !whole)) list_.add(*halfway);
    }
    wide_.clear();
}

void Bounds::alignment(const Request& request, const Run& run) {
    constexpr unsigned kWide = 16;
    if (run.bytes == kWide) return wide(request, run);
    if ((run.address & (run.bytes - 1)) == 0) return;  // widths are powers of two
    list_.add(of(Rule::misaligned_access, request, run.first_lane, run.address));
}

void Bounds::wide(const Request& request, const Run& run) {
    const std::uint32_t site = request.site->id;
    if (site >= wide_.size()) wide_.resize(site + 1);
    const unsigned beside = run.address % 16;
    if (beside == 0) {
        wide_[site].whole = true;
        return;
    }
    Hazard found = of(Rule::misaligned_access, request, run.first_lane, run.address);
    if (beside != 8) return list_.add(found);
    found.lowest = run.address;
    found.end = run.address + run.bytes;
    std::optional<Hazard>& halfway = wide_[site].halfway;
    if (!halfway) {
        halfway = found;
        return;
    }
    halfway->count += found.count;
    halfway->lowest = std::min(halfway->lowest, found.lowest);
    halfway->end = std::max(halfway->end, found.end);
}

void Bounds::index(const BadIndex& bad) {
    list_.add({.rule = Rule::out_of_bounds,
               .site = AccessSite::of(*bad.site),
               .thread = {bad.block, bad.thread},
               .index = bad.index,
               .by_index = true});
}

}  // namespace lanework
