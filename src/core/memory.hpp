// How much memory this process can still take: what is asked before anything large is allocated.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <filesystem>

namespace lanework {

/// What the kernel's files do not tell: bytes of address space and of data that the process may have (RLIMIT_AS,
/// RLIMIT_DATA), or RLIM_INFINITY.
struct MemoryLimits {
    rlim_t address_space = RLIM_INFINITY, data = RLIM_INFINITY;
};
/// Those of this process.
MemoryLimits memory_limits();

/// Bytes that this process can still allocate and write without swapping or being ended: the least of what is free on
/// the machine (MemAvailable), of what its control groups and theirs above leave (version 2: memory.max −
/// memory.current, version 1: memory.limit_in_bytes − memory.usage_in_bytes; file pages that are not in use count as
/// free) and of its resource limits. An estimate: others may take it first.
std::uint64_t available_memory();

/// The same as the files below `root` say it: `root`/proc/meminfo, `root`/proc/self/cgroup, `root`/sys/fs/cgroup/…
std::uint64_t available_memory(const std::filesystem::path& root, const MemoryLimits& limits);

}  // namespace lanework
