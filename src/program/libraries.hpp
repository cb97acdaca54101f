// Libraries of NVIDIA's that a program names to the linker: which the simt device stands for, and which it cannot.
#pragma once

#include <span>
#include <string_view>

namespace lanework {

/// Whether a word for the linker ("-lcudart") names a library whose functions the simt device has itself. Throws
/// UsageError for one of NVIDIA's that it has not.
bool is_device_library(std::string_view word);

}  // namespace lanework
