// What a program's environment tells the simt device when nobody watches.
#pragma once

namespace lanework {

/// The GPU that the device stands for.
inline constexpr const char* kGpuVariable = "LANEWORK_SIMT_GPU";

}  // namespace lanework
