// Whether a driver can run what a CUDA toolkit built.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace lanework {

/// "13.0" or "13.0.88" as 13000; 0 for what is no version.
int parse_cuda_version(std::string_view text);

/// What a driver that supports CUDA `driver` (13000 for 13.0; 0: it does not say) means for a program of the runtime
/// `runtime`: good, good with a restriction, or what to install.
std::string describe_driver(int driver, int runtime);

/// What a build has of CUDA: "compiled with CUDA 13.0, code for 90", or why it has nothing and the command that puts it
/// in. `toolkit` is empty where it was left out; `nvcc` is the compiler of this machine, empty where there is none.
std::string describe_toolkit(std::string_view toolkit, std::string_view code, const std::filesystem::path& nvcc);

}  // namespace lanework
