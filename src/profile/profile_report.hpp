// The counters of profiled rungs, hardware's and ours side by side.
#pragma once

#include "src/draw/style.hpp"
#include "src/trace/analyse/golden.hpp"

namespace lanework {

/// One rung on one problem, or a program of the user's: that has a title for its operation, and neither of the others.
struct RungProfile {
    std::string operation, rung;
    /// As RecordedRun::problem.
    std::string problem;
    std::vector<CounterComparison> counters;
    /// Why there are none of the hardware's, or none of ours; empty when there are.
    std::string no_hardware, no_prediction;
};

/// A count as it is, other figures with two decimals; a dash for none.
std::string format_counter(const std::optional<double>& value);

/// A table for each launch; metrics that are nowhere above 0 are left out.
std::string draw(const RungProfile& profile, const Style& style);

/// JSON, schema 1.
std::string profiles_to_json(std::span<const RungProfile> profiles, std::span<const Fact> environment);

}  // namespace lanework
