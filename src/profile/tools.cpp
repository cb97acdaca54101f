// Looking for the tools where NVIDIA's packages put them.
#include "src/profile/tools.hpp"

#include <string>
#include <vector>

namespace lanework {
namespace {

namespace fs = std::filesystem;

struct Place {
    const char* name;
    const char* package;
    /// Its file; programs are looked for in PATH and in the toolkit first.
    const char* file;
    bool program;
    /// Other files it may be, from the root on.
    std::vector<const char*> files;
    /// A folder of versions, and the file in each of them.
    const char* versions;
    const char* file_in_version;
};

const Place& place_of(Tool tool) {
    static const Place places[] = {
        {"Nsight Compute (ncu)",
         "nsight-compute (NVIDIA's package repository; Debian: nvidia-cuda-toolkit)",
         "ncu",
         true,
         {},
         "opt/nvidia/nsight-compute",
         "ncu"},
        {"Nsight Systems (nsys)",
         "nsight-systems (NVIDIA's package repository; Debian: nsight-systems)",
         "nsys",
         true,
         {},
         "opt/nvidia/nsight-systems",
         "bin/nsys"},
        {"compute-sanitizer",
         "cuda-sanitizer (NVIDIA's package repository; Debian: nvidia-cuda-toolkit)",
         "compute-sanitizer",
         true,
         {"usr/local/cuda/compute-sanitizer/compute-sanitizer"},
         nullptr,
         nullptr},
        {"CUPTI",
         "cuda-cupti (NVIDIA's package repository; Debian: libcupti-dev)",
         "libcupti.so",
         false,
         {"usr/local/cuda/extras/CUPTI/lib64/libcupti.so", "usr/local/cuda/lib64/libcupti.so",
          "usr/lib/x86_64-linux-gnu/libcupti.so", "usr/lib/aarch64-linux-gnu/libcupti.so"},
         nullptr,
         nullptr}};
    return places[static_cast<int>(tool)];
}

bool is_there(const fs::path& file, bool program) {
    std::error_code code;
    return program ? is_program(file) : fs::is_regular_file(file, code);
}

// /opt/nvidia/nsight-compute/2025.3.1/ncu: the newest.
fs::path newest(const fs::path& versions, const fs::path& file) {
    fs::path found;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(versions, code))
        if (is_there(entry.path() / file, true) && entry.path() > found) found = entry.path();
    return found.empty() ? found : found / file;
}

}  // namespace

std::string_view name_of(Tool tool) { return place_of(tool).name; }
std::string_view package_of(Tool tool) { return place_of(tool).package; }

fs::path find_tool(Tool tool, const ToolkitPlaces& here) {
    const Place& place = place_of(tool);
    if (place.program)
        if (const fs::path found = find_toolkit_program(place.file, here); !found.empty()) return found;
    for (const char* file : place.files)
        if (is_there(here.root / file, place.program)) return here.root / file;
    return place.versions ? newest(here.root / place.versions, place.file_in_version) : fs::path();
}

fs::path find_tool(Tool tool) { return find_tool(tool, toolkit_places()); }

}  // namespace lanework
