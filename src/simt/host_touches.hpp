// What the host's own code touches of some memory between launches. Instrumented code of the host calls the hooks of
// kernels, too, which return at once unless somebody asked for this.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lanework_simt {

/// Memory that is looked at in pieces of so many bytes, from its beginning on.
struct HostMemoryRange {
    std::uint64_t base = 0, bytes = 0, piece = 0;
};

/// From now on these ranges are looked at, in place of those of before; none of them has been touched yet.
void watch_host_memory(std::span<const HostMemoryRange> ranges);
/// An address in each piece that the host has touched since it was last asked, or since the ranges were given. What
/// code does that is not instrumented (a file that is no CUDA file, the C library) is not among it.
std::vector<std::uint64_t> take_host_touches();

namespace engine {
/// True while there are such ranges: what hooks_active is between launches.
extern bool host_watched __attribute__((visibility("hidden")));
/// Ahead of an access by code that is no thread of a watched kernel. Nothing for device code.
void see_host_access(const volatile void* address);
}  // namespace engine

}  // namespace lanework_simt
