// Turning a launch's error into a finding.
#include "src/trace/rules/launch_findings.hpp"

#include <fmt/format.h>

namespace lanework {

std::vector<Finding> launch_errors(const std::vector<KernelTrace>& launches) {
    std::vector<Finding> findings;
    for (const KernelTrace& launch : launches) {
        if (launch.error.empty()) continue;
        findings.push_back(
            {.rule = launch.never_met ? Rule::divergent_barrier : Rule::launch_failure,
             .severity = Severity::error,
             .place = launch.error_place,
             .evidence = launch.error,
             .remedy = launch.never_met ? "Let every thread of the block, or lane of the mask, reach the same barrier."
                                        : "Mend what the message names; on a GPU the launch fails too.",
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
