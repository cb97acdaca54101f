// Where the programs and the headers of a CUDA toolkit are on this machine.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

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

/// A folder with NVIDIA's CCCL in it: Thrust, CUB and libcu++.
struct CcclFolder {
    std::filesystem::path folder;
    /// 300001 is 3.0.1, as CUB_VERSION counts.
    int version = 0;
    /// It holds CCCL and nothing else. Up to CUDA 12 a toolkit has it among its own headers.
    bool alone = false;
};

/// What is in a folder; version 0 where it is not CCCL, or not all of it.
CcclFolder look_for_cccl(const std::filesystem::path& folder);

/// Those of this machine, each once: of `toolkit`, of /usr/local/cuda, of NVIDIA's packages for a Python that is on
/// PATH or for the user (nvidia-cuda-cccl), and among the system's headers.
std::vector<CcclFolder> find_cccl_folders(const ToolkitPlaces& here);

/// Whether the file is there and may be run.
bool is_program(const std::filesystem::path& file);

}  // namespace lanework
