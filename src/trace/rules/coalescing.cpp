// The rules about sectors that accesses bring beside the bytes they want: many of them, or a few at the ends of rows.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "src/gpu/memory_units.hpp"
#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kUncoalesced = 2.0, kExcessive = 1.1;  // sectors ÷ the sectors that would do

std::string_view verb(const Site& site) {
    switch (site.kind) {
        case EventKind::load: return "loads";
        case EventKind::store: return "stores";
        default: return "atomic operations";
    }
}

/// What keeps lanes that lie side by side from filling their sectors.
std::string_view why_torn(const ExampleRequest& request) {
    const auto first = static_cast<unsigned>(std::countr_zero(request.lanes));
    const std::uint32_t following = request.lanes >> first;
    if ((following & (following + 1)) != 0) return "lanes lie side by side, and some between them take no part";
    return request.address[first] % kSectorBytes != 0 ? "lanes lie side by side, but the first begins within a sector"
                                                      : "";
}

std::string pattern(const PlacedSite& placed) {
    if (!placed.example) return "";
    const auto found = pattern_of(*placed.example);
    const bool side_by_side = found && found->row_lanes == kLanes && found->lane_step == placed.example->bytes;
    const std::string_view torn = side_by_side ? why_torn(*placed.example) : "";
    const std::string text = torn.empty() ? describe_pattern(*placed.example, false) : std::string(torn);
    return text.empty() ? "" : ": " + text;
}

template <Rule rule>
void find_sectors(const RuleInputs& in, const PlacedSite& placed, std::vector<Finding>& findings) {
    if (placed.site.space != Space::global) return;
    const GlobalCounters& counted = placed.site.global;
    const double ratio = per(counted.sectors, counted.ideal_sectors);
    const double excess = static_cast<double>(counted.sectors - std::min(counted.sectors, counted.ideal_sectors));
    const double weight = excess * clocks_per_sector(in.gpu) / memory_clocks(in.counters, in.gpu);
    const bool uncoalesced = ratio >= kUncoalesced;
    if (ratio < kExcessive || weight < kWorthSayingCost || uncoalesced != (rule == Rule::uncoalesced_access)) return;
    findings.push_back(
        {.rule = rule,
         .severity = weight >= kSeriousCost ? Severity::warning : Severity::advice,
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

/// The sectors that loads and stores at one place bring for nothing.
void coalesce(Demand& d, const Mending& mending) {
    const KernelCounters &here = mending.here, &all = mending.all;
    const auto wasted = [](const GlobalCounters& at, const GlobalCounters& total) {
        return share(at.sectors - std::min(at.sectors, at.ideal_sectors), total.sectors);
    };
    const auto wasted_lines = [](const GlobalCounters& at, const GlobalCounters& total) {
        const std::uint64_t ideal = std::max(at.requests, at.ideal_sectors / 4);
        return share(at.lines - std::min(at.lines, ideal), total.lines);
    };
    // What the block had loaded before comes from L1: no less comes from L2 without it.
    const auto fresh = [](const GlobalCounters& at) { return at.sectors - std::min(at.sectors, at.repeated_sectors); };
    const std::uint64_t brought = fresh(here.global_loads);
    const double loads =
        1 - share(brought - std::min(brought, here.global_loads.ideal_sectors), fresh(all.global_loads));
    const double stores = 1 - wasted(here.global_stores, all.global_stores);
    d.load_lines *= 1 - wasted_lines(here.global_loads, all.global_loads);
    d.l2_read_lines *= 1 - wasted_lines(here.global_loads, all.global_loads);
    d.l2_read_sectors *= loads;
    d.store_lines *= 1 - wasted_lines(here.global_stores, all.global_stores);
    d.written_lines *= 1 - wasted_lines(here.global_stores, all.global_stores);
    d.written_sectors *= stores;
    // Memory sends what the algorithm needs, once.
    d.memory_read_sectors = std::min(d.memory_read_sectors, std::max(d.first_read_sectors, d.l2_read_sectors));
    d.memory_written_sectors = std::min(d.memory_written_sectors, d.written_sectors);
    d.partly_written_sectors *= stores;
}

}  // namespace

LANEWORK_COST_RULE(uncoalesced_access, {.find_at = find_sectors<Rule::uncoalesced_access>,
                                        .repeats_passes = true,
                                        .picture = Space::global,
                                        .mend = coalesce});

LANEWORK_COST_RULE(excessive_sectors,
                   {.find_at = find_sectors<Rule::excessive_sectors>, .picture = Space::global, .mend = coalesce});

}  // namespace lanework
