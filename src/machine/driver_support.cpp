// Source: CUDA Compatibility, https://docs.nvidia.com/deploy/cuda-compatibility/ (minor version compatibility, the
// table of least drivers, forward compatibility).
#include "src/machine/driver_support.hpp"

#include <fmt/format.h>

#include <charconv>

namespace lanework {
namespace {

constexpr int kMajor = 1000, kMinor = 10;

// The first driver that runs programs of a major release; 0 when unknown.
int least_driver(int major) {
    switch (major) {
        case 11: return 450;
        case 12: return 525;
        case 13: return 580;
        default: return 0;
    }
}

std::string text_of(int version) { return fmt::format("{}.{}", version / kMajor, version % kMajor / kMinor); }

std::string too_old(int driver, int runtime) {
    const int major = runtime / kMajor, least = least_driver(major);
    return fmt::format(
        "too old: it supports CUDA {} and this build needs {}.x; install {}, or build with a CUDA {}.x "
        "toolkit (a data-centre GPU can also take the package cuda-compat-{}-{})",
        text_of(driver), major, least ? fmt::format("driver {} or newer", least) : "a newer driver", driver / kMajor,
        major, runtime % kMajor / kMinor);
}

}  // namespace

int parse_cuda_version(std::string_view text) {
    int major = 0, minor = 0;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, major);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != '.') return 0;
    const auto second = std::from_chars(first.ptr + 1, end, minor);
    return second.ec == std::errc() ? kMajor * major + kMinor * minor : 0;
}

std::string describe_driver(int driver, int runtime) {
    if (driver == 0) return "it does not say which CUDA it supports";
    if (runtime == 0) return fmt::format("supports CUDA {}; this build has no CUDA", text_of(driver));
    if (driver >= runtime)
        return fmt::format("supports CUDA {}, and so this build's runtime {}", text_of(driver), text_of(runtime));
    if (driver / kMajor == runtime / kMajor)
        return fmt::format(
            "supports CUDA {}, a little older than this build's runtime {}: machine code runs, PTX of this "
            "toolkit does not; a newer driver runs both",
            text_of(driver), text_of(runtime));
    return too_old(driver, runtime);
}

std::string describe_toolkit(std::string_view toolkit, std::string_view code, const std::filesystem::path& nvcc) {
    if (!toolkit.empty()) return fmt::format("compiled with CUDA {}, code for {}", toolkit, code);
    if (nvcc.empty())
        return "left out of this build: to add the cuda device, install a CUDA toolkit 12.x or 13.x and build again";
    return fmt::format(
        "left out of this build, though {0} is here; `CUDACXX={0} cmake --preset release -DLANEWORK_CUDA=ON && cmake "
        "--build --preset release --target lanework` in the checkout puts it in",
        nvcc.string());
}

}  // namespace lanework
