// Free memory as Linux counts it: for the machine, for the control groups of a process and for the process itself.
#include "src/core/memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "src/core/host.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

std::uint64_t difference(std::uint64_t limit, std::uint64_t used) { return limit > used ? limit - used : 0; }

/// The number that a file holds; none for "max", or where there is no such file.
std::optional<std::uint64_t> number_in(const fs::path& file) {
    std::uint64_t value = 0;
    if (std::ifstream(file) >> value) return value;
    return std::nullopt;
}

/// The number behind `name` in a file of lines "name number …".
std::optional<std::uint64_t> entry_in(const fs::path& file, std::string_view name) {
    std::ifstream lines(file);
    for (std::string line, word; std::getline(lines, line);) {
        std::istringstream words(line);
        std::uint64_t value = 0;
        if (words >> word >> value && word == name) return value;
    }
    return std::nullopt;
}

std::uint64_t free_on_machine(const fs::path& root) {
    const auto kibibytes = entry_in(root / "proc/meminfo", "MemAvailable:");
    return kibibytes ? *kibibytes << 10 : physical_memory_bytes();
}

/// The names that one version of control groups gives to what is the same in both.
struct GroupFiles {
    std::string_view limit, used, idle_file_pages;
};
constexpr GroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr GroupFiles kVersion2{"memory.max", "memory.current", "inactive_file"};

/// What one group leaves. Pages of files that nobody uses are counted as used, but make room when room is needed.
std::uint64_t free_in_group(const fs::path& folder, const GroupFiles& files) {
    const auto limit = number_in(folder / files.limit), used = number_in(folder / files.used);
    if (!limit || !used) return kUnlimited;
    const std::uint64_t idle = entry_in(folder / "memory.stat", files.idle_file_pages).value_or(0);
    return difference(*limit, difference(*used, idle));
}

/// The least that a group and those above it leave. A container may see its own group as the topmost one: what is not
/// there is passed over.
std::uint64_t free_along(const fs::path& mount, const fs::path& group, const GroupFiles& files) {
    std::uint64_t least = free_in_group(mount, files);
    fs::path folder = mount;
    for (const fs::path& part : group.relative_path())
        if (!part.empty()) least = std::min(least, free_in_group(folder /= part, files));
    return least;
}

/// A line of /proc/self/cgroup is "number:controllers:path"; version 2 has no controllers.
std::uint64_t free_in_groups(const fs::path& root) {
    const fs::path mount = root / "sys/fs/cgroup";
    std::uint64_t least = kUnlimited;
    std::ifstream lines(root / "proc/self/cgroup");
    for (std::string line; std::getline(lines, line);) {
        const auto first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const fs::path group = line.substr(second + 1);
        if (controllers == ",,") least = std::min(least, free_along(mount, group, kVersion2));
        if (controllers.find(",memory,") != std::string::npos)
            least = std::min(least, free_along(mount / "memory", group, kVersion1));
    }
    return least;
}

/// What the process's own limits leave of what it has mapped: /proc/self/statm counts pages, of everything first, of
/// data sixth.
std::uint64_t free_in_limits(const fs::path& root, const MemoryLimits& limits) {
    constexpr std::size_t everything = 0, data = 5;
    std::uint64_t pages[6] = {};
    std::ifstream statm(root / "proc/self/statm");
    for (std::uint64_t& count : pages) statm >> count;
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const auto left = [&](rlim_t limit, std::size_t column) {
        return limit == RLIM_INFINITY ? kUnlimited : difference(limit, pages[column] * page);
    };
    return std::min(left(limits.address_space, everything), left(limits.data, data));
}

rlim_t soft_limit(decltype(RLIMIT_AS) resource) {
    rlimit limit{};
    return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

}  // namespace

MemoryLimits memory_limits() { return {soft_limit(RLIMIT_AS), soft_limit(RLIMIT_DATA)}; }

std::uint64_t available_memory() { return available_memory("/", memory_limits()); }

std::uint64_t available_memory(const fs::path& root, const MemoryLimits& limits) {
    return std::min({free_on_machine(root), free_in_groups(root), free_in_limits(root, limits)});
}

}  // namespace lanework
