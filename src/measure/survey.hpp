// Surveying a device: its ceilings, and what else bounds a program on it — caches, shared memory, atomics, launches,
// the link. Every figure comes from a rung of an operation, run as in any other measurement.
#pragma once

#include "src/core/survey.hpp"
#include "src/measure/ceilings.hpp"

namespace lanework {

/// Measures the device anew, within seconds; `ceilings` are those of the same device and are taken over. simt's figures
/// are its own real times, its ceilings aside: those are the cpu's, and are left out.
Survey survey(Device& device, const Ceilings& ceilings, const std::function<void(std::string_view)>& progress);

/// The same, kept beside the ceilings under the user's cache folder until a device with another fingerprint is there.
void store_survey(const Survey& survey);
/// Nothing when the device was not surveyed yet, or the cache cannot be understood.
std::optional<Survey> cached_survey(const DeviceInfo& device);

}  // namespace lanework
