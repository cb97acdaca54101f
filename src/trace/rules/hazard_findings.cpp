// What is said about a hazard: one sentence of evidence with threads and addresses, and one about the remedy.
#include <fmt/format.h>

#include "src/trace/analyse/hazard.hpp"

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
    if (hazard.thread.block != hazard.other_thread.block)
        return "Make the update atomic, give each block its own element, or split the work into two launches: blocks "
               "run in no order.";
    if (is_atomic(hazard.site) || is_atomic(hazard.other))
        return "Make both accesses atomic, or put __syncthreads() between them.";
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

}  // namespace

std::vector<Finding> findings_of(const HazardList& list, const PlaceOf& place_of, std::size_t first) {
    std::vector<Finding> findings;
    for (std::size_t i = first; i < list.hazards().size(); ++i) {
        const Hazard& hazard = list.hazards()[i];
        const SourcePlace other = hazard.other.pc == 0 ? SourcePlace{} : place_of(hazard.other.pc);
        const LaunchShape& shape = list.shapes()[hazard.launch];
        findings.push_back({.rule = hazard.rule,
                            .severity = hazard.severity,
                            .place = place_of(hazard.site.pc),
                            .evidence = evidence_of(hazard, shape, other) + times_text(hazard.count),
                            .remedy = remedy_of(hazard),
                            .weight = hazard.severity == Severity::error ? 1.0 : 0.0,
                            .other = other,
                            .kernel = shape.kernel});
    }
    return findings;
}

}  // namespace lanework
