// The rule about bank conflicts in shared memory.
#include <fmt/format.h>

#include "src/trace/analyse/bank_use.hpp"
#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

constexpr double kSerious = 0.05, kWorthSaying = 0.01;  // parts of the kernel's cost

/// "rows of 16 lanes are 17 words apart, lanes 0 and 31 want words 0 and 32, both in bank 0"
std::string reason_of(const ExampleRequest& example) {
    const std::string pattern = describe_pattern(example, true), collision = describe_collision(bank_use(example));
    return pattern + (pattern.empty() || collision.empty() ? "" : ", ") + collision;
}

void find_bank_conflict(const RuleInputs& in, const PlacedSite& placed, std::vector<Finding>& findings) {
    if (placed.site.space != Space::shared) return;
    const SharedCounters& counted = placed.site.shared;
    if (counted.conflicts() == 0) return;
    const double weight = static_cast<double>(counted.conflicts()) / memory_clocks(in.counters, in.gpu);
    if (weight < kWorthSaying) return;
    const double passes = static_cast<double>(counted.wavefronts) / static_cast<double>(counted.requests);
    const double ideal = static_cast<double>(counted.ideal_wavefronts) / static_cast<double>(counted.requests);
    const std::string reason = placed.example ? reason_of(*placed.example) : "";
    findings.push_back(
        {.rule = Rule::bank_conflict,
         .severity = weight >= kSerious ? Severity::warning : Severity::advice,
         .place = placed.place,
         .evidence = fmt::format("{} take {:.1f} passes per request where {:.1f} would do, {}-way at worst{}{}",
                                 placed.site.kind == EventKind::load ? "reads" : "writes", passes, ideal,
                                 counted.most_wavefronts, reason.empty() ? "" : ": ", reason),
         .remedy = "Change the distance between the lanes' words so that they fall into different banks: pad each row "
                   "by one word to an odd length of 32 words or more, or swizzle the column with the row.",
         .weight = weight,
         .other = {}});
}

void spread_over_banks(Demand& d, const Mending& mending) {
    const auto passes = [](const KernelCounters& c) {
        return c.shared_loads.wavefronts + c.shared_stores.wavefronts + c.shared_atomics.wavefronts;
    };
    const auto lost = [](const KernelCounters& c) {
        return c.shared_loads.conflicts() + c.shared_stores.conflicts() + c.shared_atomics.conflicts();
    };
    d.shared_wavefronts *= 1 - share(lost(mending.here), passes(mending.all));
}

}  // namespace

LANEWORK_COST_RULE(bank_conflict, {.find_at = find_bank_conflict,
                                   .repeats_passes = true,
                                   .picture = Space::shared,
                                   .mend = spread_over_banks});

}  // namespace lanework
