// Turning a launch's error into a finding.
#include "src/trace/rules/launch_findings.hpp"

#include <fmt/format.h>

namespace lanework {

namespace {

Rule rule_of(const KernelTrace& launch) {
    if (launch.never_met) return Rule::divergent_barrier;
    return launch.endless ? Rule::endless_wait : Rule::launch_failure;
}

const char* remedy_of(Rule rule) {
    switch (rule) {
        case Rule::divergent_barrier:
            return "Let every thread of the block, or lane of the mask, reach the same barrier.";
        case Rule::endless_wait:
            return "Wait only for a thread that writes what is read, has begun when the wait does, and waits for none "
                   "of those that wait.";
        default:
            return "Mend what the message names: but for what the simt device does not have, the launch fails on a "
                   "GPU, too.";
    }
}

}  // namespace

std::vector<Finding> launch_errors(const std::vector<KernelTrace>& launches) {
    std::vector<Finding> findings;
    for (const KernelTrace& launch : launches) {
        if (launch.error.empty()) continue;
        const Rule rule = rule_of(launch);
        findings.push_back({.rule = rule,
                            .severity = Severity::error,
                            .place = launch.error_place,
                            .evidence = launch.error,
                            .remedy = remedy_of(rule),
                            .weight = 1,
                            .other = {},
                            .kernel = launch.shape.kernel});
    }
    return findings;
}

Finding refused_launch(std::string_view kernel, const SourcePlace& place, std::string_view reason) {
    return {.rule = Rule::launch_failure,
            .severity = Severity::error,
            .place = place,
            .evidence = fmt::format("the launch is refused, and the kernel does not run: {}", reason),
            .remedy = "Launch what a device can hold, and ask cudaGetLastError() behind each launch.",
            .weight = 1,
            .other = {},
            .kernel = std::string(kernel)};
}

}  // namespace lanework
