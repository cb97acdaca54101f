// What it costs to start work on a device, to go from one piece of it to the next, and to take the time.
#pragma once

#include <lanework/device.hpp>

#include "src/core/survey.hpp"

namespace lanework {

/// From the operation `relay`, whose steps do next to nothing; medians. Some are the host's time and some the device's:
/// each says which. Throws DeviceError when a launch fails.
std::vector<Reading> launch_costs(Device& device);

/// The least difference between two of these times that is not 0: how finely their clock tells. 0 for fewer than two
/// different ones.
double resolution_of(std::vector<double> seconds);

}  // namespace lanework
