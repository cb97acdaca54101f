// What mending a finding would save: the launch's demand without it, timed by the model beside the other launches.
#include <algorithm>
#include <cmath>

#include "src/trace/analyse/estimate.hpp"
#include "src/trace/rules/rules.hpp"

namespace lanework {
namespace {

constexpr double kWorthShowing = 0.02, kSerious = 0.10, kAtTheLimit = 1.03;
constexpr double kWorthSaying = 0.01;  // of the time, taken off one part of the GPU

/// The sums of what is counted at the finding's place.
KernelCounters counted_at(const Finding& finding, const KernelTrace& launch) {
    std::vector<PlacedSite> there;
    for (const PlacedSite& placed : launch.sites)
        if (placed.place.file == finding.place.file && placed.place.line == finding.place.line &&
            placed.place.column == finding.place.column)
            there.push_back(placed);
    return sum(there);
}

/// The launch's demand without what the finding says.
Demand mended(const Finding& finding, const KernelTrace& launch, const Gpu& gpu, DType dtype, Demand d) {
    const CostRule* const rule = find_cost_rule(finding.rule);
    if (rule && rule->mend)
        rule->mend(d, {.finding = finding,
                       .launch = launch,
                       .gpu = gpu,
                       .dtype = dtype,
                       .all = launch.counters(),
                       .here = counted_at(finding, launch)});
    return d;
}

/// The most that the mending takes off what one part of the GPU needs, in seconds: another part may hide all of it.
double most_off_one_part(const Demand& now, const Demand& mended, const Gpu& gpu) {
    const ModelledTime before = time_of({&now, 1}, gpu), after = time_of({&mended, 1}, gpu);
    double most = 0;
    for (std::size_t part = 0; part < kBottlenecks; ++part)
        most = std::max(most, before.parts_s[part] - after.parts_s[part]);
    return most;
}

/// All launches without what some findings say, and what then holds for all of them.
struct Mended {
    std::vector<Demand> demands;
    TimeParameters parameters;
};

Mended mended_demands(std::span<const Finding> together, const Explanation& explanation, const Gpu& gpu,
                      const Estimate& now) {
    Mended result{now.demands, {}};
    for (const Finding& finding : together) {
        Demand& demand = result.demands[finding.launch];
        demand = mended(finding, explanation.kernels[finding.launch], gpu, explanation.problem.dtype, demand);
        const CostRule* const rule = find_cost_rule(finding.rule);
        if (rule && rule->mend_all) rule->mend_all(result.demands, explanation);
        if (rule && rule->mend_parameters) rule->mend_parameters(result.parameters);
    }
    return result;
}

/// The part of the whole time that is saved.
double gain_of(const Mended& mended, const Gpu& gpu, const Estimate& now) {
    const double seconds = time_of(now.demands, gpu).seconds;
    const double without = std::min(seconds, time_of(mended.demands, gpu, mended.parameters).seconds);
    return std::max(0.0, (now.kernels_s() - std::max(now.least_s, without)) / now.kernels_s());
}

bool same_rule(const Finding& a, const Finding& b) { return a.rule == b.rule && a.launch == b.launch; }

/// Of each finding, what mending all places would save that its rule found in its launch.
std::vector<double> gains_of_rules(const Explanation& explanation, const Gpu& gpu, const Estimate& now,
                                   const std::vector<Finding>& findings) {
    std::vector<double> gains(findings.size());
    for (std::size_t i = 0; i < findings.size(); ++i) {
        if (findings[i].error() || findings[i].launch >= now.demands.size()) continue;
        std::vector<Finding> together;
        for (const Finding& other : findings)
            if (same_rule(other, findings[i]) &&
                std::none_of(together.begin(), together.end(),
                             [&](const Finding& same) { return same.place == other.place; }))
                together.push_back(other);
        gains[i] = gain_of(mended_demands(together, explanation, gpu, now), gpu, now);
    }
    return gains;
}

void add_modelled(const Explanation& explanation, const Gpu& gpu, std::span<const Demand> demands,
                  std::vector<Finding>& findings) {
    for (std::size_t i = 0; i < explanation.kernels.size(); ++i) {
        const KernelTrace& launch = explanation.kernels[i];
        if (!launch.error.empty()) continue;
        const ModelledTime time = time_of({&demands[i], 1}, gpu);
        RuleInputs inputs{.launch = launch,
                          .counters = metric_inputs(explanation, launch, gpu.limits()).counters,
                          .gpu = gpu,
                          .resources = resources_of(launch.shape, 0),
                          .stack_bytes = {},
                          .spilled_bytes = {},
                          .demand = &demands[i],
                          .time = &time,
                          .dtype = explanation.problem.dtype};
        const std::size_t first = findings.size();
        for (const CostRule* rule : cost_rules())
            if (rule->asks_the_model) rule->look(inputs, findings);
        for (std::size_t k = first; k < findings.size(); ++k) findings[k].launch = i;
    }
}

}  // namespace

void fill_lanes(Demand& d, double lanes) {
    for (double Demand::*const falls :
         {&Demand::instructions, &Demand::steps, &Demand::accesses, &Demand::host_instructions, &Demand::pipe_clocks,
          &Demand::shared_requests, &Demand::shared_wavefronts, &Demand::barriers})
        d.*falls *= lanes;
}

void rank_by_gain(const Explanation& explanation, const Gpu& gpu, std::vector<Finding>& findings) {
    const Estimate now = estimate(explanation, gpu);
    if (now.demands.empty()) return;
    add_modelled(explanation, gpu, now.demands, findings);
    for (const CostRule* rule : cost_rules())
        if (rule->find_in_all) rule->find_in_all(explanation, findings);
    const double seconds = time_of(now.demands, gpu).seconds;
    const Work& work = explanation.timed ? *explanation.timed : explanation.work;
    const double limit = roofline_limit(work, explanation.problem.dtype, gpu).seconds;
    const bool at_the_limit = limit > 0 && now.kernels_s() <= kAtTheLimit * limit;
    // What a larger problem would lose is hidden behind round trips and the start of the launch. Passes that an access
    // repeats may be hidden behind another part of the GPU: they are a fault of the layout all the same.
    const bool small = now.bound == Bottleneck::latency || now.bound == Bottleneck::launch;
    const std::vector<double> together = gains_of_rules(explanation, gpu, now, findings);
    std::vector<Finding> kept;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        Finding& finding = findings[i];
        if (finding.error() || finding.launch >= now.demands.size()) {
            kept.push_back(std::move(finding));
            continue;
        }
        const Mended mended = mended_demands({&finding, 1}, explanation, gpu, now);
        const double gain = gain_of(mended, gpu, now);
        const bool first = std::none_of(findings.begin(), findings.begin() + static_cast<std::ptrdiff_t>(i),
                                        [&](const Finding& other) { return same_rule(other, finding); });
        // Of many places that save little each, one speaks for all.
        const double said = gain < kWorthShowing && first ? together[i] : gain;
        if (said < kWorthShowing || at_the_limit) {
            finding.weight *= kWorthShowing;
            const CostRule* const rule = find_cost_rule(finding.rule);
            const bool hidden = rule && rule->repeats_passes &&
                                most_off_one_part(now.demands[finding.launch], mended.demands[finding.launch], gpu) >=
                                    kWorthSaying * seconds;
            if (at_the_limit || !(small || hidden) || (rule && rule->asks_the_model)) continue;
        } else {
            finding.gain = said;
            finding.weight = std::max(said, together[i]);
            finding.time_s = now.kernels_s();
            finding.time_without_s = now.kernels_s() * (1 - said);
            finding.severity = said >= kSerious ? Severity::warning : Severity::advice;
        }
        kept.push_back(std::move(finding));
    }
    findings = std::move(kept);
}

}  // namespace lanework
