// Rungs times problems.
#include "src/cli/profile_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <lanework/error.hpp>

#include "src/cli/sizes.hpp"

namespace lanework {

bool is_on(const Operation& operation, const Rung& rung, DeviceKind kind) {
    return std::ranges::any_of(ladder(operation, kind), [&](const Rung* other) { return other->name == rung.name; });
}

std::vector<Problem> profile_problems(const Operation& operation, const SelectionOptions& selection) {
    std::vector<Problem> problems;
    const bool typed = !selection.dtype.empty(), varied = !selection.variant.empty();
    const DType dtype = typed ? parse_dtype(operation, selection.dtype) : operation.default_dtype();
    const std::uint8_t variant = varied ? parse_variant(operation, selection.variant) : std::uint8_t{0};
    if (!selection.size.empty()) {
        for (const Extents& shape : parse_shapes(operation, selection.size, {}, dtype, {}))
            problems.push_back({shape, dtype, variant});
        return problems;
    }
    for (const Problem& problem : golden_problems(operation))
        if ((!typed || problem.dtype == dtype) && (!varied || problem.variant == variant)) problems.push_back(problem);
    return problems;
}

std::vector<ProfileJob> profile_jobs(const SelectionOptions& selection, DeviceKind kind) {
    std::vector<ChosenDevice> devices(1);
    devices.front().kind = kind;
    const bool own = !selection.added.empty() || std::ranges::any_of(selection.words, names_own_ladder);
    if (kind == DeviceKind::cuda && own)
        devices = choose_devices(fmt::format("{},{}", name_of(kind), name_of(DeviceKind::simt)));
    std::vector<ProfileJob> jobs;
    for (const ChosenLadder& chosen : choose_ladders(selection, devices))
        for (const Problem& problem : profile_problems(*chosen.operation, selection))
            for (const Rung* rung : ladder(*chosen.operation, kind)) {
                const bool wanted =
                    chosen.rungs.empty() ? is_on(*chosen.operation, *rung, DeviceKind::simt) : chosen.takes(*rung);
                const ProfileJob job{chosen.operation, rung, problem};
                if (wanted && refusal(*rung, problem).empty() && std::ranges::find(jobs, job) == jobs.end())
                    jobs.push_back(job);
            }
    if (jobs.empty()) throw UsageError("the selection is empty: no rung computes this; `lanework list` shows all");
    return jobs;
}

}  // namespace lanework
