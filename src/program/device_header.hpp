// The device's header, precompiled: reading it is half of what a small program costs to compile.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "src/program/program_cache.hpp"
#include "src/program/toolchain.hpp"

namespace lanework {

struct DeviceHeader {
    /// What a compiler is given besides, so that it reads the header precompiled; empty where it is not.
    std::vector<std::string> options;
    /// What it was made of.
    std::vector<std::filesystem::path> read;
    /// Of clang++, to which one that it cannot use is an error: what fails with it is compiled without it, too.
    bool may_be_refused = false;
};

/// What every translation of CUDA begins with.
inline constexpr const char* kDeviceHeader = "#define __CUDACC__ 1\n#include <cuda_runtime.h>\n";

/// The header as this command of the compiler's reads it (`command`: without its files), with those of <vector>,
/// <string>, <memory> and <iostream> that the source includes itself (`source`: its translated text). Made the second
/// time that it is asked for, since making it takes as long as five small programs gain; none where it cannot be made,
/// while another process makes it, or in a small cache.
DeviceHeader device_header(const Toolchain& toolchain, ProgramCache& cache, const std::vector<std::string>& command,
                           const std::string& source);

/// Has it made again, where a compiler did not take it.
void forget(const ProgramCache& cache, const DeviceHeader& header);

}  // namespace lanework
