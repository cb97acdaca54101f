// Which rungs on which problems show what a device can do, kind of device by kind of device: data.
#pragma once

#include <lanework/device.hpp>
#include <lanework/operation.hpp>

#include "src/core/survey.hpp"

namespace lanework {

/// One figure: the amount of work of a problem, divided by the time that its best run takes.
struct Probe {
    std::string group, name;
    std::string_view operation;
    /// Empty: the fastest of the ladder.
    std::string_view rung;
    Extents extent;
    std::string_view variant = {};
    /// Back to back on the same data, or with caches evicted.
    bool hot = true;
    Unit unit = Unit::operations_per_second;
    Part part = Part::none;
    /// How much of the unit is in the problem.
    double (*amount)(const Work&) = nullptr;
};

std::vector<Probe> probes_for(const DeviceInfo& device);

}  // namespace lanework
