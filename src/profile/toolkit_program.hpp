// Where the programs of a CUDA toolkit are on this machine.
#pragma once

#include <filesystem>
#include <string_view>

namespace lanework {

/// What decides where programs are looked for.
struct ToolkitPlaces {
    /// Folders, separated by colons, as in PATH.
    std::string_view path = {};
    /// The folder of a toolkit, as in CUDA_HOME; empty for none.
    std::filesystem::path toolkit = {};
    std::filesystem::path root = "/";
    /// The user's own, where pip installs for one user; empty for none.
    std::filesystem::path home = {};
};

/// Those of this process: PATH, CUDA_HOME or else CUDA_PATH, the file system, and HOME.
ToolkitPlaces toolkit_places();

/// A program of the toolkit ("cuobjdump"): of PATH, of `toolkit`, of /usr/local/cuda, or of NVIDIA's packages for a
/// Python that is on PATH or for the user (nvidia-cuda-nvdisasm: nvidia/cu13/bin). Empty when there is none.
std::filesystem::path find_toolkit_program(std::string_view name, const ToolkitPlaces& here);
std::filesystem::path find_toolkit_program(std::string_view name);

/// Whether the file is there and may be run.
bool is_program(const std::filesystem::path& file);

}  // namespace lanework
