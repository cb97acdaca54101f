// What the host's own code touches of some memory between launches and while they run. Instrumented code of the host
// calls the hooks of kernels, too, which return at once unless somebody asked for this.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lanework_simt {

/// Memory that is looked at in pieces of so many bytes, from its beginning on.
struct HostMemoryRange {
    std::uint64_t base = 0, bytes = 0, piece = 0;
    /// Reading it is no touch.
    bool writes_only = false;
};

/// The child of a fork has the forking thread alone: what is asked below can be asked there, too, from now on, and from
/// the first ranges on anyway. Who has a lock that comes before asks for it first.
void keep_host_touches_through_forks();

/// From now on these ranges, too, are looked at; none of them has been touched yet. None overlaps another one, nor one
/// that is looked at already.
void watch_host_memory(std::span<const HostMemoryRange> ranges);
/// The ranges that begin within so many bytes are looked at no more.
void forget_host_memory(std::uint64_t first, std::uint64_t bytes);
/// By address, one in each piece of the ranges with a byte within that the host has touched since this was last asked,
/// or since it was looked at. What code does that is not instrumented (a file that is no CUDA file, the C library) is
/// not among it.
std::vector<std::uint64_t> take_host_touches(std::uint64_t first = 0, std::uint64_t bytes = UINT64_MAX);

namespace engine {
/// Ahead of an access by code that is no thread of a watched kernel. Nothing for device code.
void see_host_access(const volatile void* address, bool writes);
}  // namespace engine

}  // namespace lanework_simt
