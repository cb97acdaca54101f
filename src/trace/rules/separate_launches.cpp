// The rule about work in many launches: starting them, each after the one before has ended, takes a good part of the
// time.
#include <fmt/format.h>

#include <set>

#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

void find(const Explanation& explanation, std::vector<Finding>& findings) {
    const std::vector<KernelTrace>& launches = explanation.kernels;
    if (launches.size() < 2) return;
    std::set<std::string> kernels;
    std::set<const void*> streams;
    for (const KernelTrace& launch : launches) {
        kernels.insert(launch.shape.kernel);
        streams.insert(launch.shape.stream);
    }
    const LaunchShape& second = launches[1].shape;
    const std::string order =
        streams.size() == 1
            ? "follow each other; each begins when the one before has ended, and has to be started"
            : fmt::format("are in {} streams; the host starts one after the other, and short ones end before the next",
                          streams.size());
    findings.push_back({.rule = Rule::separate_launches,
                        .severity = Severity::advice,
                        .place = place_of(second),
                        .evidence = fmt::format("{} launches of {} kernel{} {}", launches.size(), kernels.size(),
                                                kernels.size() == 1 ? "" : "s", order),
                        .remedy =
                            "Join steps into one kernel, let the last block finish the work of all, or record the "
                            "launches as a CUDA graph; the host need not wait in between.",
                        .other = {}});
}

void start_once(TimeParameters& parameters) { parameters.further_launch = 0; }

}  // namespace

LANEWORK_COST_RULE(separate_launches, {.find_in_all = find, .asks_the_model = true, .mend_parameters = start_once});

}  // namespace lanework
