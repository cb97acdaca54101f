// What a CUDA device says of itself.
#pragma once

#include <lanework/device.hpp>

#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// The properties that `lanework devices` shows, read by attributes where CUDA 13 dropped the struct's fields.
DeviceInfo describe_device(DeviceKind kind, int index);

/// FP32 cores per SM of a compute capability (CUDA C++ Programming Guide, table "Arithmetic instructions"); 0 when
/// unknown.
int cores_per_sm(int major, int minor);

}  // namespace lanework::inline LANEWORK_ON_DEVICE
