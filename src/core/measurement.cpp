// Statistics derived from raw samples.
#include <algorithm>
#include <cmath>
#include <lanework/measurement.hpp>

namespace lanework {
namespace {

double quantile(const std::vector<double>& sorted, double share) {
    const double position = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(position));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - std::floor(position));
}

}  // namespace

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
