// Source:
// https://developer.nvidia.com/nvidia-development-tools-solutions-ERR_NVGPUCTRPERM-permission-issue-performance-counters
#include "src/machine/counter_permission.hpp"

#include <fstream>
#include <sstream>

namespace lanework {
namespace {

constexpr int kSysAdmin = 21, kPerfmon = 38;  // linux/capability.h

bool has(std::uint64_t capabilities, int which) { return (capabilities >> which & 1) != 0; }

// The number behind "RmProfilingAdminOnly:"; nothing when it is not there.
std::optional<int> admin_only(const std::string& parameters) {
    const std::string name = "RmProfilingAdminOnly:";
    const auto at = parameters.find(name);
    if (at == std::string::npos) return std::nullopt;
    std::istringstream rest(parameters.substr(at + name.size()));
    int value = 0;
    return rest >> value ? std::optional(value) : std::nullopt;
}

std::optional<std::string> text_of(const char* file) {
    std::ifstream stream(file);
    if (!stream) return std::nullopt;
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

}  // namespace

std::string describe_counter_permission(const std::optional<std::string>& parameters, std::uint64_t capabilities) {
    const auto restricted = parameters ? admin_only(*parameters) : std::nullopt;
    if (!restricted) return "unknown: the driver's /proc/driver/nvidia/params does not say";
    if (*restricted == 0) return "yes: the driver lets every user read them";
    if (has(capabilities, kSysAdmin)) return "yes: this process has CAP_SYS_ADMIN";
    const std::string remedy =
        "run as root, start a container with --cap-add=SYS_ADMIN, or let every user: put `options nvidia "
        "NVreg_RestrictProfilingToAdminUsers=0` into a file in /etc/modprobe.d and load the driver anew";
    if (has(capabilities, kPerfmon))
        return "with a driver from 565 on, as this process has CAP_PERFMON; with an older one " + remedy;
    return "no: the driver keeps them for administrators; " + remedy;
}

std::uint64_t effective_capabilities(const std::string& status) {
    const std::string name = "CapEff:";
    const auto at = status.find(name);
    if (at == std::string::npos) return 0;
    std::istringstream rest(status.substr(at + name.size()));
    std::uint64_t value = 0;
    return rest >> std::hex >> value ? value : 0;
}

std::string describe_counter_permission() {
    return describe_counter_permission(text_of("/proc/driver/nvidia/params"),
                                       effective_capabilities(text_of("/proc/self/status").value_or("")));
}

}  // namespace lanework
