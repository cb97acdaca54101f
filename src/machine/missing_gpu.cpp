// From the hardware upwards: the first thing that is missing is the reason.
#include "src/machine/missing_gpu.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "src/core/shared_library.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& file) {
    std::error_code code;
    return fs::exists(file, code);
}

std::string first_word(const fs::path& file) {
    std::string word;
    std::ifstream(file) >> word;
    return word;
}

// Vendor 10de, class 03….
bool nvidia_on_bus(const fs::path& root) {
    std::error_code code;
    for (const auto& device : fs::directory_iterator(root / "sys/bus/pci/devices", code))
        if (first_word(device.path() / "vendor") == "0x10de" && first_word(device.path() / "class").starts_with("0x03"))
            return true;
    return false;
}

bool in_path(std::string_view path, const char* program) {
    while (!path.empty()) {
        const auto end = std::min(path.find(':'), path.size());
        if (is_there(fs::path(path.substr(0, end)) / program)) return true;
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return false;
}

std::string_view variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

bool can_open_driver() {
    constexpr const char* kNames[] = {"libcuda.so.1"};
    return static_cast<bool>(SharedLibrary(kNames));
}

// Set to nothing or to -1; an unset one hides nothing.
bool hides_all(const char* visible) {
    return visible && (std::string_view(visible).empty() || std::string_view(visible).starts_with('-'));
}

}  // namespace

GpuTraces look_around(const fs::path& root) {
    return {.nvidia_on_bus = nvidia_on_bus(root),
            .kernel_module = is_there(root / "proc/driver/nvidia/version"),
            .nouveau = is_there(root / "sys/module/nouveau"),
            .device_nodes = is_there(root / "dev/nvidiactl"),
            .driver_library = can_open_driver(),
            .management_tool = in_path(variable("PATH"), "nvidia-smi"),
            .windows_subsystem = is_there(root / "dev/dxg"),
            .container = is_there(root / ".dockerenv") || is_there(root / "run/.containerenv"),
            .hidden = hides_all(std::getenv("CUDA_VISIBLE_DEVICES"))};
}

std::string why_no_gpu(const GpuTraces& found) {
    if (found.hidden) return "CUDA_VISIBLE_DEVICES hides every GPU: unset it";
    if (found.windows_subsystem && !found.driver_library)
        return "WSL 2 without libcuda.so.1: install the NVIDIA driver in Windows, none in Linux, and see that "
               "/usr/lib/wsl/lib is in the library path";
    if (found.windows_subsystem)
        return "WSL 2 shows no GPU: update the NVIDIA driver in Windows, then `wsl --shutdown`";
    if (found.kernel_module && !found.device_nodes)
        return found.container
                   ? "the host has a driver, but this container has no /dev/nvidia*: start it with --gpus all (NVIDIA "
                     "Container Toolkit)"
                   : "the driver is loaded, but /dev/nvidiactl is missing: run `nvidia-modprobe -c 0` as root";
    if (found.kernel_module && !found.driver_library)
        return "the driver is loaded, but libcuda.so.1 is missing: install its user part (Debian: libcuda1); in a "
               "container, start it with --gpus all";
    if (found.kernel_module) return "the driver is loaded and shows no GPU: see `nvidia-smi` and the kernel's log";
    if (found.device_nodes) return "there is /dev/nvidiactl, but no driver behind it: load it with `modprobe nvidia`";
    if (found.nvidia_on_bus && found.nouveau)
        return "an NVIDIA GPU with the nouveau driver, which has no CUDA: install NVIDIA's (Debian: nvidia-driver)";
    if (found.nvidia_on_bus)
        return "an NVIDIA GPU without its driver: install it (Debian: nvidia-driver; Ubuntu: `ubuntu-drivers install`)";
    if (found.container)
        return "no NVIDIA GPU is seen in this container; if its host has one, start it with --gpus all (NVIDIA "
               "Container "
               "Toolkit)";
    if (found.management_tool || found.driver_library)
        return "there are parts of a driver, but no GPU on the PCI bus: is it switched off, or not passed through?";
    return "no NVIDIA GPU on the PCI bus, and no driver";
}

}  // namespace lanework
