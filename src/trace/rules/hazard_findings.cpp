// What is said about a hazard: one sentence of evidence with threads and addresses, and one about the remedy.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "src/trace/analyse/hazard.hpp"
#include "src/trace/rules/hazard_groups.hpp"

namespace lanework {
namespace {

bool is_atomic(const AccessSite& site) { return site.kind == EventKind::atomic || site.kind == EventKind::reduction; }

std::string to_text(std::uint64_t linear, const std::array<unsigned, 3>& extent) {
    const std::uint64_t row = linear / extent[0];
    return fmt::format("({},{},{})", linear % extent[0], row % extent[1], row / extent[1]);
}

std::string to_text(const ThreadId& thread, const LaunchShape& shape) {
    return fmt::format("thread {} of block {}", to_text(thread.thread, shape.block), to_text(thread.block, shape.grid));
}

std::string bytes_text(std::size_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }

std::string_view verb(const AccessSite& site) {
    if (is_atomic(site)) return "atomically updates";
    return site.kind == EventKind::store ? "writes" : "reads";
}

std::string access_text(const Hazard& hazard, const LaunchShape& shape) {
    return fmt::format("{} {} {}", to_text(hazard.thread, shape), verb(hazard.site), bytes_text(hazard.site.bytes));
}

std::string where_text(const Hazard& hazard) {
    if (hazard.site.space == Space::shared) return fmt::format("at offset {} of shared memory", hazard.address);
    return fmt::format("at {:#x}", hazard.address);
}

std::string times_text(std::uint64_t count) { return count == 1 ? "" : fmt::format(" ({} times in all)", count); }

std::string race_text(const Hazard& hazard, const LaunchShape& shape, const SourcePlace& other) {
    const std::string line = other.line == 0 ? "" : fmt::format(" in line {}", other.line);
    if (hazard.severity == Severity::warning)
        return fmt::format("{} {} that {} writes in the same statement; which value stays is undefined",
                           access_text(hazard, shape), where_text(hazard), to_text(hazard.other_thread, shape));
    const std::string_view missing =
        hazard.narrow_scope ? "block scope orders nothing between blocks"
        : hazard.rule == Rule::warp_synchrony
            ? "they are lanes of one warp, and only lockstep would order them, which no GPU since "
              "Volta promises"
            : "nothing orders them";
    return fmt::format("{} {} that {} {}{}; {}", access_text(hazard, shape), where_text(hazard),
                       to_text(hazard.other_thread, shape), verb(hazard.other), line, missing);
}

std::string distance_text(const NearestMemory& nearest, const AccessSite& site) {
    const bool shared = site.space == Space::shared;
    if (nearest.bytes == 0) return shared ? ", and its block has no shared memory" : ", and there is no allocation";
    const std::string_view what = shared ? "the block's shared memory" : "the nearest allocation";
    const auto bytes = static_cast<std::int64_t>(nearest.bytes);
    if (nearest.offset < 0)
        return fmt::format(", {} before {} of {}", bytes_text(static_cast<std::size_t>(-nearest.offset)), what,
                           bytes_text(nearest.bytes));
    if (nearest.offset < bytes) return fmt::format(", across the end of {} of {}", what, bytes_text(nearest.bytes));
    return fmt::format(", {} past the end of {} of {}",
                       nearest.offset == bytes ? "right" : bytes_text(static_cast<std::size_t>(nearest.offset - bytes)),
                       what, bytes_text(nearest.bytes));
}

std::string bounds_text(const Hazard& hazard, const LaunchShape& shape) {
    if (hazard.by_index)
        return fmt::format("{} uses index {}, which its array does not have", to_text(hazard.thread, shape),
                           hazard.index);
    return access_text(hazard, shape) + " " + where_text(hazard) + distance_text(hazard.nearest, hazard.site);
}

std::string evidence_of(const Hazard& hazard, const LaunchShape& shape, const SourcePlace& other) {
    switch (hazard.rule) {
        case Rule::out_of_bounds: return bounds_text(hazard, shape);
        case Rule::use_after_free: return access_text(hazard, shape) + " " + where_text(hazard) + ", which was freed";
        case Rule::uninitialised_read:
            return access_text(hazard, shape) + " " + where_text(hazard) + " that nobody has written";
        case Rule::misaligned_access:
            return fmt::format("{} {}, which is no multiple of {}", access_text(hazard, shape), where_text(hazard),
                               hazard.site.bytes);
        default: return race_text(hazard, shape, other);
    }
}

std::string race_remedy(const Hazard& hazard) {
    if (hazard.severity == Severity::warning)
        return "Let one thread write it, or make sure that all of them write the same value.";
    if (hazard.narrow_scope)
        return "Give the atomic operations and fences device scope, as atomicAdd, cuda::thread_scope_device and "
               "__threadfence have: block scope is for the threads of one block.";
    const bool atomic = is_atomic(hazard.site) || is_atomic(hazard.other);
    if (hazard.thread.block != hazard.other_thread.block)
        return atomic
                   ? "Make both accesses atomic (a read: volatile, or cuda::atomic_ref's load), or split the work into "
                     "two launches: blocks run in no order."
                   : "Make the update atomic, give each block its own element, or split the work into two launches: "
                     "blocks "
                     "run in no order.";
    if (atomic) return "Make both accesses atomic, or put __syncthreads() between them.";
    return "Put __syncthreads(), reached by every thread of the block, between the two accesses.";
}

std::string remedy_of(const Hazard& hazard) {
    switch (hazard.rule) {
        case Rule::warp_synchrony: return "Put __syncwarp() between the two accesses.";
        case Rule::out_of_bounds:
            return hazard.by_index ? "Check the index against the array's length."
                                   : "Check the index against the number of elements before the access.";
        case Rule::use_after_free: return "Free the memory after the last launch that uses it has ended.";
        case Rule::uninitialised_read:
            return hazard.site.space == Space::shared
                       ? "Write every element of shared memory that is read, and put __syncthreads() behind it."
                       : "Write or clear the memory before the launch, with cudaMemset for instance.";
        case Rule::misaligned_access:
            return "Start vectors at multiples of their size, and handle the elements before the first one singly.";
        default: return race_remedy(hazard);
    }
}

/// The places of the others, each pair of lines once, and a single one where no pair has it.
std::vector<PlacePair> further_places(const HazardGroup& group) {
    const auto lines = [](const SourcePlace& place) { return std::tie(place.file, place.line); };
    const auto alike = [&](const PlacePair& a, const PlacePair& b) {
        if (b.other.line == 0) return lines(a.place) == lines(b.place) || lines(a.other) == lines(b.place);
        return (lines(a.place) == lines(b.place) && lines(a.other) == lines(b.other)) ||
               (lines(a.place) == lines(b.other) && lines(a.other) == lines(b.place));
    };
    std::vector<PlacePair> pairs{{group.best().place, group.best().other}};
    for (const PlacedHazard* const member : group.members) {
        const PlacePair pair{member->place, member->other};
        if (std::ranges::none_of(pairs, [&](const PlacePair& known) { return alike(known, pair); }))
            pairs.push_back(pair);
    }
    pairs.erase(pairs.begin());
    return pairs;
}

/// Threads of a block read, change and write back one place: no barrier between these orders them.
bool is_shared_update(const HazardGroup& group) {
    if (group.best().between_blocks() || !group.best().is_race()) return false;
    return std::ranges::any_of(group.members, [&](const PlacedHazard* store) {
        return store->is_one_store() && std::ranges::any_of(group.members, [&](const PlacedHazard* pair) {
                   const Hazard& hazard = *pair->hazard;
                   return hazard.site.pc == store->hazard->site.pc && hazard.other.kind == EventKind::load &&
                          hazard.epoch.first_pc == hazard.other.pc;
               });
    });
}

/// Where one barrier is to stand that orders all that the group has.
std::string barrier_place(const HazardGroup& group) {
    const auto name = [&](const SourcePlace& place) {
        return place.file == group.best().place.file ? fmt::format("line {}", place.line)
                                                     : fmt::format("{}:{}", place.file, place.line);
    };
    const std::string_view again = group.before->line <= group.behind->line ? " is reached again" : "";
    return fmt::format("behind {} and before {}{}", name(*group.behind), name(*group.before), again);
}

std::string remedy_of(const HazardGroup& group, bool several_places) {
    if (is_shared_update(group))
        return "Make the update atomic, or let one thread of the block do it: several threads read, change and write "
               "one place.";
    const bool placed = group.behind && group.behind->line != 0 && group.before->line != 0 &&
                        (group.behind->line != group.before->line || group.behind->file != group.before->file);
    const PlacedHazard& best = group.best();
    if (!several_places || best.between_blocks() || best.is_one_store()) return remedy_of(*best.hazard);
    if (best.within_a_warp())
        return placed ? fmt::format("One __syncwarp() orders all of them: put it {}.", barrier_place(group))
                      : "Put __syncwarp() between the two accesses of each pair.";
    if (best.is_race() && placed)
        return fmt::format("One __syncthreads() orders all of them: put it, reached by every thread of the block, {}.",
                           barrier_place(group));
    return remedy_of(*best.hazard);
}

Finding finding_of(const HazardGroup& group) {
    const PlacedHazard& best = group.best();
    Hazard hazard = *best.hazard;
    if (is_shared_update(group)) hazard.rule = Rule::race;  // lanes that keep step lose updates, too
    std::uint64_t count = 0;
    for (const PlacedHazard* const member : group.members) count += member->hazard->count;
    Finding finding{.rule = hazard.rule,
                    .severity = hazard.severity,
                    .place = best.place,
                    .evidence = evidence_of(hazard, *best.shape, best.other) + times_text(count),
                    .remedy = {},
                    .weight = hazard.severity == Severity::error ? 1.0 : 0.0,
                    .other = best.other,
                    .also = further_places(group),
                    .kernel = best.shape->kernel};
    finding.remedy = remedy_of(group, !finding.also.empty());
    return finding;
}

}  // namespace

std::vector<Finding> findings_of(const HazardList& list, const PlaceOf& place_of) {
    const std::vector<PlacedHazard> hazards = placed_hazards(list, place_of);
    std::vector<Finding> findings;
    for (const HazardGroup& group : group_hazards(hazards)) findings.push_back(finding_of(group));
    return findings;
}

}  // namespace lanework
