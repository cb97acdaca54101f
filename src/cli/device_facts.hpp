// What is known about a device and its ceilings, as facts to print.
#pragma once

#include <lanework/device.hpp>

#include "src/measure/ceilings.hpp"
#include "src/report/facts.hpp"

namespace lanework {

/// Properties of the device under its id.
Section section_of(const DeviceInfo& device);
/// Adds the measured bandwidths and rates.
void add_ceilings(Section& section, const Ceilings& ceilings);

}  // namespace lanework
