// How the engine makes a kernel's failure the device's sticky error.
#pragma once

#include <lanework_simt/error_codes.hpp>
#include <string>

namespace lanework_simt::engine {

/// Keeps the first until clear_for_reset(); it becomes the last error of this host thread, which launched.
void set_sticky(cudaError_t error, const std::string& detail);

}  // namespace lanework_simt::engine
