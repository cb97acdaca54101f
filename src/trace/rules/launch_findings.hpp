// What is said about launches that failed.
#pragma once

#include <vector>

#include "src/trace/analyse/explanation.hpp"

namespace lanework {

/// What CUDA would have reported of these launches, each as a finding.
std::vector<Finding> launch_errors(const std::vector<KernelTrace>& launches);

}  // namespace lanework
