// Running the rules over the launches, and putting what they found in order.
#include "src/trace/rules/rules.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "src/gpu/memory_units.hpp"
#include "src/trace/analyse/metrics.hpp"

namespace lanework {

#define LANEWORK_COST(name) extern constinit const CostRule name##_rule;
#include "src/trace/analyse/rules.def"

namespace {

constexpr const CostRule* kCostRules[] = {
#define LANEWORK_COST(name) &name##_rule,
#include "src/trace/analyse/rules.def"
};

RuleInputs inputs_of(const Explanation& explanation, const KernelTrace& launch, const Gpu& gpu) {
    RuleInputs inputs{.launch = launch,
                      .counters = launch.counters(),
                      .gpu = gpu,
                      .resources = resources_of(launch.shape, 0),
                      .stack_bytes = {},
                      .spilled_bytes = {}};
    if (const KernelRecord* record = find_record(explanation, launch.shape, gpu.capability)) {
        inputs.resources = resources_of(launch.shape, record->registers_per_thread);
        inputs.stack_bytes = record->stack_bytes;
        inputs.spilled_bytes = record->spill_store_bytes + record->spill_load_bytes;
    }
    return inputs;
}

std::uint64_t all_sectors(const KernelCounters& c) {
    return c.global_loads.sectors + c.global_stores.sectors + c.global_atomics.sectors + c.global_reductions.sectors;
}
std::uint64_t all_wavefronts(const KernelCounters& c) {
    return c.shared_loads.wavefronts + c.shared_stores.wavefronts + c.shared_atomics.wavefronts;
}

/// What a launch costs counts as much as the launch does among all of them.
void weigh(std::vector<Finding>& findings, double share) {
    constexpr double kSmallShare = 0.10;
    for (Finding& finding : findings) {
        finding.weight *= share;
        if (share < kSmallShare && finding.severity == Severity::warning) finding.severity = Severity::advice;
    }
}

auto key(const Finding& finding) {
    return std::tie(finding.rule, finding.place.file, finding.place.line, finding.place.column);
}

}  // namespace

std::span<const CostRule* const> cost_rules() { return kCostRules; }

const CostRule* find_cost_rule(Rule rule) {
    const auto found = std::ranges::find(kCostRules, rule, &CostRule::rule);
    return found == std::end(kCostRules) ? nullptr : *found;
}

SourcePlace place_of(const LaunchShape& shape) {
    return {.file = shape.file, .line = shape.line, .column = 0, .function = {}};
}

double clocks_per_sector(const Gpu& gpu) { return kSectorBytes * gpu.clock_hz * gpu.sms / gpu.memory_bandwidth; }

double memory_clocks(const KernelCounters& counters, const Gpu& gpu) {
    const double clocks = static_cast<double>(all_sectors(counters)) * clocks_per_sector(gpu) +
                          static_cast<double>(all_wavefronts(counters)) +
                          static_cast<double>(counters.constant.distinct_addresses);
    return std::max(clocks, 1.0);
}

std::vector<Finding> performance_findings(const Explanation& explanation, const Gpu& gpu) {
    std::vector<Finding> findings = find_costs(explanation, gpu);
    rank_by_gain(explanation, gpu, findings);
    find_in_streams(explanation, gpu, findings);
    return findings;
}

std::vector<Finding> find_costs(const Explanation& explanation, const Gpu& gpu) {
    std::vector<Finding> findings;
    double all = 0;
    for (const KernelTrace& launch : explanation.kernels) all += memory_clocks(launch.counters(), gpu);
    for (const KernelTrace& launch : explanation.kernels) {
        if (!launch.error.empty()) continue;
        const RuleInputs inputs = inputs_of(explanation, launch, gpu);
        std::vector<Finding> found;
        for (const CostRule* rule : cost_rules())
            if (!rule->asks_the_model) rule->look(inputs, found);
        weigh(found, memory_clocks(inputs.counters, gpu) / all);
        for (Finding& finding : found) finding.launch = static_cast<std::size_t>(&launch - explanation.kernels.data());
        findings.insert(findings.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    }
    return findings;
}

void sort_findings(std::vector<Finding>& findings) {
    std::map<std::tuple<bool, Rule>, double> costliest;
    const auto group = [](const Finding& finding) { return std::tuple(finding.error(), finding.rule); };
    for (const Finding& finding : findings) {
        double& most = costliest[group(finding)];
        most = std::max(most, finding.weight);
    }
    const auto order = [&](const Finding& finding) {
        const double most = finding.error() ? 1 : costliest[group(finding)];
        return std::tuple(!finding.error(), -most, finding.error() ? Rule{} : finding.rule, -finding.weight);
    };
    std::ranges::stable_sort(findings, {}, order);
    std::vector<Finding> once;
    for (Finding& finding : findings) {
        const auto same = [&](const Finding& other) { return key(other) == key(finding); };
        if (finding.error() || std::none_of(once.begin(), once.end(), same)) once.push_back(std::move(finding));
    }
    findings = std::move(once);
}

}  // namespace lanework
