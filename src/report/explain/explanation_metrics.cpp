// Chooses and formats metrics.
#include "src/report/explain/explanation_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanework {
namespace {

// "shared store" of "shared store bank conflicts": what accesses a metric is about.
std::string_view subject_of(const Metric& metric) {
    const std::size_t first = metric.label.find(' ');
    return first == std::string_view::npos ? metric.label : metric.label.substr(0, metric.label.find(' ', first + 1));
}

bool any_value(const Metric& metric, std::span<const MetricInputs> inputs) {
    return std::any_of(inputs.begin(), inputs.end(), [&](const auto& in) { return predicted(metric, in).has_value(); });
}

bool any_count(const Metric& metric, std::span<const MetricInputs> inputs) {
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](const auto& in) { return predicted(metric, in).value_or(0) != 0; });
}

}  // namespace

MetricInputs total_inputs(const Explanation& explanation, const Capability& sm) {
    if (explanation.kernels.empty()) return {};
    MetricInputs total = metric_inputs(explanation, explanation.kernels.front(), sm);
    std::vector<PlacedSite> sites;
    total.footprint_read = total.footprint_written = 0;
    for (const KernelTrace& kernel : explanation.kernels) {
        sites.insert(sites.end(), kernel.sites.begin(), kernel.sites.end());
        total.footprint_read += kernel.footprint_read;
        total.footprint_written += kernel.footprint_written;
    }
    if (total.of_machine_code) {
        // One launch alone whose code is not known, and nothing can be said of the sum.
        total.counters = {};
        total.lanes_on = 0;
        for (const KernelTrace& kernel : explanation.kernels) {
            const MetricInputs inputs = metric_inputs(explanation, kernel, sm);
            total.of_machine_code = total.of_machine_code && inputs.of_machine_code;
            total.counters.add(inputs.counters);
            total.lanes_on += inputs.lanes_on;
        }
    }
    if (!total.of_machine_code) total.counters = sum(sites);
    return total;
}

std::vector<const Metric*> telling_metrics(std::span<const MetricInputs> inputs) {
    const auto telling = [&](const Metric& metric) {
        return std::any_of(metrics().begin(), metrics().end(), [&](const Metric& other) {
            return subject_of(other) == subject_of(metric) && any_count(other, inputs);
        });
    };
    std::vector<const Metric*> chosen;
    for (const Metric& metric : metrics())
        if (any_value(metric, inputs) && telling(metric)) chosen.push_back(&metric);
    return chosen;
}

std::string format_metric(const Metric& metric, std::optional<double> value) {
    if (!value) return "-";
    const bool whole = *value == std::floor(*value);
    if (metric.unit == "%") return fmt::format("{:.{}f}%", *value, whole ? 0 : 1);
    const std::string_view unit = metric.unit.starts_with("byte") ? " B" : "";
    return fmt::format("{:.{}f}{}", *value, whole ? 0 : 2, unit);
}

std::string list_unavailable() {
    std::string names;
    for (const Metric& metric : metrics())
        if (metric.with_code == Trust::unavailable) names.append(names.empty() ? "" : ", ").append(metric.label);
    return names.empty() ? names : "Not known without a GPU: " + names + ".";
}

std::vector<std::string> list_not_followed(const Explanation& explanation) {
    std::vector<std::string> all;
    for (const KernelTrace& launch : explanation.kernels) {
        if (!launch.machine || launch.machine->known()) continue;
        std::string said = fmt::format("{}: {}", launch.shape.kernel, launch.machine->reason);
        if (std::ranges::find(all, said) == all.end()) all.push_back(std::move(said));
    }
    return all;
}

}  // namespace lanework
