// What a program's environment tells the simt device, whether anybody watches or not.
#pragma once

namespace lanework {

/// The GPU that the device stands for.
inline constexpr const char* kGpuVariable = "LANEWORK_SIMT_GPU";
/// How many such GPUs the program sees: 1 to kMostDevices.
inline constexpr const char* kDevicesVariable = "LANEWORK_SIMT_DEVICES";
inline constexpr int kMostDevices = 64;

}  // namespace lanework
