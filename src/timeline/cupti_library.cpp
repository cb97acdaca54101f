// Places and messages; nothing here needs CUPTI's headers.
#include "src/timeline/cupti_library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace lanework {
namespace {

namespace fs = std::filesystem;

// Codes of cupti_result.h that a user can do something about.
constexpr int kNotCompatible = 14, kNotInitialized = 15, kVirtualized = 33, kPrivileges = 35, kSubscribers = 39,
              kVirtualizedPrivileges = 40, kConfidential = 41, kMig = 43;

void add_if_there(std::vector<std::string>& all, const fs::path& file) {
    std::error_code code;
    if (fs::exists(file, code)) all.push_back(file.string());
}

// <folder>/python3.11/{site,dist}-packages/nvidia/cu13/lib, and where packages for CUDA 12 have it.
void add_python(std::vector<std::string>& all, const fs::path& folder, int major, const std::string& name) {
    std::error_code code;
    std::vector<fs::path> pythons;
    for (const auto& entry : fs::directory_iterator(folder, code))
        if (entry.path().filename().string().starts_with("python3")) pythons.push_back(entry.path());
    std::ranges::sort(pythons);
    for (const fs::path& python : pythons)
        for (const char* packages : {"site-packages", "dist-packages"})
            for (const std::string& owner : {fmt::format("cu{}", major), std::string("cuda_cupti")})
                add_if_there(all, python / packages / "nvidia" / owner / "lib" / name);
}

std::string advice(int code) {
    switch (code) {
        case kNotInitialized:
        case kNotCompatible: return "the NVIDIA driver is missing or too old for this CUPTI: install a newer driver";
        case kSubscribers: return "another profiler watches this program: run it without Nsight or a debugger";
        case kPrivileges:
        case kVirtualizedPrivileges:
            return "this user may not trace the GPU: run as root, or let everyone with the module option "
                   "NVreg_RestrictProfilingToAdminUsers=0 of the nvidia driver";
        case kVirtualized: return "this virtual GPU cannot be traced: its host must allow profiling";
        case kConfidential: return "a GPU in confidential mode cannot be traced";
        case kMig: return "this MIG instance cannot be traced: use a whole GPU";
        default: return "the driver or this GPU does not let it (does nvidia-smi work here?)";
    }
}

}  // namespace

std::vector<std::string> cupti_candidates(int major, const std::function<const char*(const char*)>& variable,
                                          const std::string& root) {
    const std::string name = fmt::format("libcupti.so.{}", major);
    if (const char* own = variable("LANEWORK_CUPTI"); own && *own) return {own};
    std::vector<std::string> all{name};
    std::vector<fs::path> toolkits;
    for (const char* from : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* folder = variable(from); folder && *folder) toolkits.emplace_back(folder);
    toolkits.push_back(fs::path(root) / "usr/local/cuda");
    toolkits.push_back(fs::path(root) / fmt::format("usr/local/cuda-{}", major));
    for (const fs::path& toolkit : toolkits)
        for (const char* folder : {"extras/CUPTI/lib64", "lib64", "lib"}) add_if_there(all, toolkit / folder / name);
    for (const char* from : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        if (const char* folder = variable(from); folder && *folder) {
            add_if_there(all, fs::path(folder) / "lib" / name);
            add_python(all, fs::path(folder) / "lib", major, name);
        }
    if (const char* home = variable("HOME"); home && *home) add_python(all, fs::path(home) / ".local/lib", major, name);
    add_python(all, fs::path(root) / "usr/local/lib", major, name);
    add_python(all, fs::path(root) / "usr/lib", major, name);
    return all;
}

std::string cupti_failure(const std::string& function, int code, const std::string& name) {
    return fmt::format("CUPTI cannot record: {} ({} of {})", advice(code), name.empty() ? std::to_string(code) : name,
                       function);
}

namespace {
constexpr unsigned kMajor = 10'000, kMinor = 100;
}

std::string cupti_version(unsigned number) {
    if (number < kMajor) return std::to_string(number);
    return fmt::format("{}.{}.{}", number / kMajor, number % kMajor / kMinor, number % kMinor);
}

std::string cupti_version_refusal(unsigned found, unsigned built_with) {
    if (found / kMajor == built_with / kMajor) return {};
    return fmt::format(
        "CUPTI {} was found, and this build reads records of CUPTI {}: install the one of that toolkit, or "
        "name its libcupti with LANEWORK_CUPTI",
        cupti_version(found), cupti_version(built_with));
}

}  // namespace lanework
