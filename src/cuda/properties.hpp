// What a CUDA device says of itself.
#pragma once

#include <lanework/device.hpp>

#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// The properties that `lanework devices` shows, read by attributes where CUDA 13 dropped the struct's fields.
DeviceInfo describe_device(DeviceKind kind, int index);

}  // namespace lanework::inline LANEWORK_ON_DEVICE
