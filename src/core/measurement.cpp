// Statistics derived from raw samples.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <lanework/measurement.hpp>

#include "src/core/quantile.hpp"

namespace lanework {
Measurement describe(const Operation& operation, const Rung& rung, std::string_view device, const Problem& problem,
                     std::uint64_t seed) {
    Measurement m;
    m.operation = operation.name;
    m.rung = rung.name;
    m.device = device;
    const auto told = operation.axes.first(operation.told_axes(problem));
    m.axes.assign(told.begin(), told.end());
    m.problem = problem;
    if (problem.variant < operation.variants.size()) m.variant = operation.variants[problem.variant];
    m.seed = seed;
    m.work = operation.work(problem);
    m.library = rung.library;
    m.climbs_from = rung.climbs_from;
    m.lesson = rung.lesson;
    if (const std::string_view about = rung.about ? rung.about() : ""; !about.empty())
        m.lesson += fmt::format(" {}", about);
    if (rung.deviation > 0 && deviates_by_share(rung, operation.tolerance(problem)))
        m.lesson +=
            fmt::format(" It is held to {} of the magnitudes, not to the operation's tolerance.", rung.deviation);
    else if (rung.deviation > 0)
        m.lesson += fmt::format(" Its arithmetic is another: verified within ±{} of the reference.", rung.deviation);
    return m;
}

Summary summarize(std::span<const double> samples) {
    if (samples.empty()) return {};
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    return {sorted.size(),          sorted.front(),         quantile(sorted, 0.25),
            quantile(sorted, 0.50), quantile(sorted, 0.75), sorted.back()};
}

std::optional<double> fraction_of_limit(const Measurement& measurement) {
    if (!measurement.limit || measurement.cold_s.empty()) return std::nullopt;
    const double median = summarize(measurement.cold_s).median;
    return median > 0 ? std::optional(std::min(1.0, measurement.limit->seconds / median)) : std::nullopt;
}

}  // namespace lanework
