// What is said about launches that failed.
#pragma once

#include <string_view>
#include <vector>

#include "src/trace/analyse/explanation.hpp"

namespace lanework {

/// What CUDA would have reported of these launches, each as a finding.
std::vector<Finding> launch_errors(const std::vector<KernelTrace>& launches);
/// Of a launch that the device does not begin at all.
Finding refused_launch(std::string_view kernel, const SourcePlace& place, std::string_view reason);

}  // namespace lanework
