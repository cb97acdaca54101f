// Rules about global, constant and local memory.
#include <fmt/format.h>

#include <algorithm>

#include "src/trace/rules/rules.hpp"

namespace lanework {
namespace {

constexpr double kUncoalesced = 2.0, kExcessive = 1.1;  // sectors ÷ the sectors that would do
constexpr double kReloaded = 0.5;                       // of the sectors that were loaded before
constexpr double kSerious = 0.10, kWorthSaying = 0.02;  // parts of the kernel's cost
constexpr unsigned kWideBytes = 16;

double per(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string_view verb(const Site& site) {
    switch (site.kind) {
        case EventKind::load: return "loads";
        case EventKind::store: return "stores";
        default: return "atomic operations";
    }
}

std::string pattern(const PlacedSite& placed) {
    const std::string text = placed.example ? describe_pattern(*placed.example, false) : "";
    return text.empty() ? "" : ": " + text;
}

void find_sectors(const RuleInputs& in, const PlacedSite& placed, std::vector<Finding>& findings) {
    const GlobalCounters& counted = placed.site.global;
    const double ratio = per(counted.sectors, counted.ideal_sectors);
    const double excess = static_cast<double>(counted.sectors - std::min(counted.sectors, counted.ideal_sectors));
    const double weight = excess * clocks_per_sector(in.gpu) / memory_clocks(in.counters, in.gpu);
    if (ratio < kExcessive || weight < kWorthSaying) return;
    const bool uncoalesced = ratio >= kUncoalesced;
    findings.push_back(
        {.rule = uncoalesced ? Rule::uncoalesced_access : Rule::excessive_sectors,
         .severity = weight >= kSerious ? Severity::warning : Severity::advice,
         .place = placed.place,
         .evidence = fmt::format("{} touch {:.1f} sectors per request where {:.1f} would hold the bytes{}",
                                 verb(placed.site), per(counted.sectors, counted.requests),
                                 per(counted.ideal_sectors, counted.requests), pattern(placed)),
         .remedy = uncoalesced
                       ? "Let neighbouring lanes access neighbouring elements, by way of shared memory where the "
                         "order must change."
                       : "Start each warp's elements at a multiple of 32 bytes: pad rows, or shift the first "
                         "index.",
         .weight = weight,
         .other = {}});
}

void find_reloads(const RuleInputs& in, const PlacedSite& placed, std::vector<Finding>& findings) {
    const GlobalCounters& counted = placed.site.global;
    const double repeated = per(counted.repeated_sectors, counted.sectors);
    if (placed.site.kind != EventKind::load || repeated < kReloaded) return;
    if (per(counted.sectors, counted.ideal_sectors) >= kUncoalesced) return;  // then the pattern is the cause
    const double weight =
        static_cast<double>(counted.repeated_sectors) * clocks_per_sector(in.gpu) / memory_clocks(in.counters, in.gpu);
    if (weight < kSerious) return;
    findings.push_back(
        {.rule = Rule::redundant_loads,
         .severity = Severity::warning,
         .place = placed.place,
         .evidence = fmt::format("{:.0f}% of the sectors had been loaded by the same block before", 100 * repeated),
         .remedy = "Load a tile into shared memory or registers once and let the block read it there.",
         .weight = weight,
         .other = {}});
}

bool unit_stride(const PlacedSite& placed) {
    if (!placed.example) return false;
    const auto pattern = pattern_of(*placed.example);
    return pattern && pattern->row_lanes == kLanes && pattern->lane_step == placed.example->bytes;
}

/// Lanes are a few elements apart, and what lies between is loaded by other turns: a lane's elements are neighbours.
bool side_by_side(const PlacedSite& placed) {
    constexpr std::int64_t kFewBytes = 4 * kWideBytes;
    if (!placed.example || placed.site.kind != EventKind::load) return false;
    const auto pattern = pattern_of(*placed.example);
    return pattern && pattern->row_lanes == kLanes && pattern->lane_step > placed.example->bytes &&
           pattern->lane_step <= kFewBytes &&
           per(placed.site.global.repeated_sectors, placed.site.global.sectors) >= kReloaded;
}

void find_narrow(const RuleInputs& in, const PlacedSite& placed, std::vector<Finding>& findings) {
    const Site& site = placed.site;
    const bool plain = site.kind == EventKind::load || site.kind == EventKind::store;
    const bool of_lane = side_by_side(placed);
    if (!plain || site.bytes * 2 > kWideBytes || (!unit_stride(placed) && !of_lane)) return;
    const double weight =
        static_cast<double>(site.global.sectors) * clocks_per_sector(in.gpu) / memory_clocks(in.counters, in.gpu);
    if (weight < kSerious) return;
    findings.push_back(
        {.rule = Rule::narrow_vectors,
         .severity = Severity::advice,
         .place = placed.place,
         .evidence = fmt::format("{}, {} byte{} at a time",
                                 of_lane ? "each lane loads elements that lie side by side"
                                         : "neighbouring lanes access neighbouring elements",
                                 site.bytes, site.bytes == 1 ? "" : "s"),
         .remedy = "Access 16 bytes per lane (int4, float4): fewer instructions, more bytes on their way.",
         .weight = weight * kWorthSaying,  // it may help; everything above does
         .other = {}});
}

void find_contention(const RuleInputs& in, const PlacedSite& placed, std::vector<Finding>& findings) {
    const GlobalCounters& counted = placed.site.global;
    if (placed.site.kind != EventKind::atomic && placed.site.kind != EventKind::reduction) return;
    const double lanes = per(counted.lanes, counted.distinct_addresses);
    if (lanes < 2) return;
    const double weight = std::min(1.0, static_cast<double>(counted.lanes) / memory_clocks(in.counters, in.gpu));
    if (weight < kWorthSaying) return;
    findings.push_back({.rule = Rule::atomic_contention,
                        .severity = weight >= kSerious ? Severity::warning : Severity::advice,
                        .place = placed.place,
                        .evidence = fmt::format("{:.1f} lanes of a request update one address, {} at most", lanes,
                                                counted.most_lanes_per_address),
                        .remedy = "Combine within the warp (shuffles) or the block (shared memory) first, then update "
                                  "once.",
                        .weight = weight,
                        .other = {}});
}

void find_serialised(const RuleInputs& in, const PlacedSite& placed, std::vector<Finding>& findings) {
    const ConstantCounters& counted = placed.site.constant;
    const double addresses = per(counted.distinct_addresses, counted.requests);
    if (addresses < kExcessive) return;
    const double weight =
        static_cast<double>(counted.distinct_addresses - counted.requests) / memory_clocks(in.counters, in.gpu);
    if (weight < kWorthSaying) return;
    findings.push_back({.rule = Rule::constant_serialised,
                        .severity = weight >= kSerious ? Severity::warning : Severity::advice,
                        .place = placed.place,
                        .evidence = fmt::format("a warp reads {:.1f} different addresses of constant memory at once, "
                                                "which takes as many passes",
                                                addresses),
                        .remedy =
                            "Index constant memory alike in all lanes; keep tables that lanes index apart in shared "
                            "memory.",
                        .weight = weight,
                        .other = {}});
}

void find_local(const RuleInputs& in, std::vector<Finding>& findings) {
    const int stack = in.stack_bytes.value_or(0), spilled = in.spilled_bytes.value_or(0);
    if (stack == 0 && spilled == 0) return;
    const std::string what = spilled != 0 ? fmt::format("{} bytes of registers are spilled to memory", spilled)
                                          : fmt::format("an array of {} bytes per thread lies in memory", stack);
    findings.push_back(
        {.rule = Rule::local_memory,
         .severity = Severity::warning,
         .place = {.file = in.launch.shape.file, .line = in.launch.shape.line, .column = 0, .function = {}},
         .evidence = fmt::format("{} ({}, ptxas for sm_{})", what, in.launch.shape.kernel, in.gpu.capability),
         .remedy = spilled != 0 ? "Keep fewer values alive at once, or allow more registers "
                                  "(__launch_bounds__ with fewer threads)."
                                : "Index the array with constants only: unroll the loops over it, so that "
                                  "its elements become registers.",
         .weight = kSerious,
         .other = {}});
}

}  // namespace

void find_memory_costs(const RuleInputs& inputs, std::vector<Finding>& findings) {
    for (const PlacedSite& placed : inputs.launch.sites) {
        if (placed.site.space == Space::constant) find_serialised(inputs, placed, findings);
        if (placed.site.space != Space::global) continue;
        find_sectors(inputs, placed, findings);
        find_reloads(inputs, placed, findings);
        find_narrow(inputs, placed, findings);
        find_contention(inputs, placed, findings);
    }
    find_local(inputs, findings);
}

}  // namespace lanework
