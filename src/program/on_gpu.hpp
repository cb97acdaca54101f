// Building a program with NVIDIA's nvcc, for the GPU of this machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanework {

/// Runs nvcc with these words; the executable, in this folder. Throws UnavailableError where there is no nvcc, and
/// CompilationError, its words told on the standard error.
std::filesystem::path build_for_gpu(const std::vector<std::string>& words, const std::filesystem::path& folder);

}  // namespace lanework
