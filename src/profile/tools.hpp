// Programs and libraries for looking at kernels: where they are, and which package brings them.
#pragma once

#include <filesystem>
#include <string_view>

#include "src/machine/cuda_toolkit.hpp"

namespace lanework {

/// Nsight Compute (ncu), Nsight Systems (nsys), compute-sanitizer, and CUPTI, a library.
enum class Tool : unsigned char { nsight_compute, nsight_systems, sanitizer, cupti };
inline constexpr Tool kTools[] = {Tool::nsight_compute, Tool::nsight_systems, Tool::sanitizer, Tool::cupti};

std::string_view name_of(Tool tool);
/// What to install for it.
std::string_view package_of(Tool tool);

/// The program of PATH, of the CUDA toolkit, or the newest in its own folder in /opt/nvidia; CUPTI of the toolkit or of
/// the system's libraries. Empty when there is none.
std::filesystem::path find_tool(Tool tool);

std::filesystem::path find_tool(Tool tool, const ToolkitPlaces& here);

}  // namespace lanework
