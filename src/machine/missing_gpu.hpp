// Why a machine shows no GPU, from what lies around on it.
#pragma once

#include <filesystem>
#include <string>

namespace lanework {

struct GpuTraces {
    bool nvidia_on_bus = false;      ///< a display or 3-D controller of NVIDIA's on the PCI bus
    bool kernel_module = false;      ///< /proc/driver/nvidia/version
    bool nouveau = false;            ///< the other driver is loaded
    bool device_nodes = false;       ///< /dev/nvidiactl
    bool driver_library = false;     ///< libcuda.so.1 can be opened
    bool management_tool = false;    ///< nvidia-smi is in PATH
    bool windows_subsystem = false;  ///< /dev/dxg: WSL 2
    bool container = false;
    /// CUDA_VISIBLE_DEVICES is set and hides every GPU.
    bool hidden = false;
};

/// What `root` ("/") and the environment show.
GpuTraces look_around(const std::filesystem::path& root);

/// Why no GPU can be used and what to do about it, in one line.
std::string why_no_gpu(const GpuTraces& found);

}  // namespace lanework
