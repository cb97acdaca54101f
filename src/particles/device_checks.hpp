// What every list in a device's memory asks first, and who builds it.
#pragma once

#include "src/particles/device/builder.hpp"

namespace lanework {

/// Throws UnavailableError where a kind of device has no memory of its own, or this build no builder for it.
template <class T>
const DeviceBuilder<T>& builder_of(DeviceKind kind);

/// Throws UsageError for numbers that no device takes, and for a missing or odd address.
template <class T>
void check_device_particles(const DeviceParticles<T>& particles);

/// Throws UsageError for a list without memory for what is counted, or with an odd address.
template <class T>
void check_device_list(const DeviceNeighborList<T>& list);

/// Throws UsageError: what a status that is not ok found wrong with these particles, which are in host memory and whose
/// shapes and types have been checked.
template <class T>
[[noreturn]] void refuse_build(const Particles<T>& particles, const NeighborStatus& status, double cutoff);

}  // namespace lanework
