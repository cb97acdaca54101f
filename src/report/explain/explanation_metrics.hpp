// The metrics of an explanation as reports show them.
#pragma once

#include <vector>

#include "src/trace/analyse/metrics.hpp"

namespace lanework {

/// The inputs of all launches together: counts are added, what a launch is asked for is that of the first one.
MetricInputs total_inputs(const Explanation& explanation, const Capability& sm);

/// Metrics of which some inputs have a value; zeros only beside others of the same accesses.
std::vector<const Metric*> telling_metrics(std::span<const MetricInputs> inputs);

/// "224", "99.2%", "4352 B"; "-" for nothing.
std::string format_metric(const Metric& metric, std::optional<double> value);

/// "Not known without a GPU: achieved occupancy, L1 hit rate."
std::string list_unavailable();

/// Of kernels whose machine code was at hand and is not counted: "blur: it reads …".
std::vector<std::string> list_not_followed(const Explanation& explanation);

}  // namespace lanework
