// What is known about a device and its ceilings, as facts to print.
#pragma once

#include <lanework/device.hpp>

#include "src/gpu/gpus.hpp"
#include "src/measure/ceilings.hpp"
#include "src/report/results/facts.hpp"

namespace lanework {

/// The digits of a property as a number: 90 of compute capability "9.0"; 0 where there is no such property.
int number_of(const DeviceInfo& device, std::string_view property);
/// The GPU that a device is, or stands for; of one that there are no figures for: the most alike.
const Gpu& gpu_of(const DeviceInfo& device);

/// Properties of the device under its id.
Section section_of(const DeviceInfo& device);
/// Adds the measured bandwidths and rates.
void add_ceilings(Section& section, const Ceilings& ceilings);
/// Adds what limits and estimates of simt are computed from.
void add_published(Section& section, const Gpu& gpu);

}  // namespace lanework
