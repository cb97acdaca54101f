// The rule about work in many launches: starting them, each after the one before has ended, takes a good part of the
// time.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "src/gpu/memory_units.hpp"
#include "src/trace/rules/rule.hpp"

namespace lanework {
namespace {

/// Whether nothing but its launches comes between the first and the last of them. Of a program each kernel is traced
/// once; copies that the host waits for, and launches of others, may come in between.
bool follow_each_other(const Explanation& explanation) {
    if (!explanation.rung.empty() || !explanation.streams) return true;
    const auto& launches = explanation.streams->launches;
    const auto traced = [](const std::optional<std::size_t>& launch) { return launch.has_value(); };
    const auto first = std::ranges::find_if(launches, traced);
    return std::all_of(first, std::ranges::find_if(launches.rbegin(), launches.rend(), traced).base(), traced);
}

void find_separate_launches(const Explanation& explanation, std::vector<Finding>& findings) {
    const std::vector<KernelTrace>& launches = explanation.kernels;
    if (launches.size() < 2 || !follow_each_other(explanation)) return;
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

/// What a launch writes and the next one reads stays in registers.
void hand_over(std::vector<Demand>& demands, const Explanation& explanation) {
    for (std::size_t i = 0; i + 1 < demands.size(); ++i) {
        const KernelTrace &first = explanation.kernels[i], &second = explanation.kernels[i + 1];
        if (!first.touched || !second.touched || first.footprint_written == 0 || second.footprint_read == 0) continue;
        const std::uint64_t between = first.touched->written.common(second.touched->read).count;
        const double stores = 1 - share(between * kSectorBytes, first.footprint_written);
        const double loads = 1 - share(between * kSectorBytes, second.footprint_read);
        for (double Demand::*const falls : {&Demand::store_requests, &Demand::store_lines, &Demand::written_sectors,
                                            &Demand::written_lines, &Demand::memory_written_sectors})
            demands[i].*falls *= stores;
        for (double Demand::*const falls :
             {&Demand::load_requests, &Demand::load_lines, &Demand::l2_read_sectors, &Demand::l2_read_lines,
              &Demand::memory_read_sectors, &Demand::first_read_sectors})
            demands[i + 1].*falls *= loads;
    }
}

void start_once(TimeParameters& parameters) {
    parameters.further_launch = parameters.waited_launch = parameters.graph_launch = 0;
}

}  // namespace

LANEWORK_COST_RULE(separate_launches, {.find_in_all = find_separate_launches,
                                       .asks_the_model = true,
                                       .mend_all = hand_over,
                                       .mend_parameters = start_once});

}  // namespace lanework
