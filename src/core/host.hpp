// The machine that Lanework runs on: its facts, and its caches.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace lanework {

/// "Intel(R) Xeon(R) …", as the kernel names it.
std::string cpu_name();
/// Bytes of the largest cache that the processor reports; 32 MiB when it reports none.
std::size_t last_level_cache_bytes();
/// Bytes of memory of the machine.
std::size_t physical_memory_bytes();
/// Writes back and drops the ranges from every cache of the processor (clflush; elsewhere by reading past the caches).
void evict_from_cpu_caches(std::span<const std::pair<const void*, std::size_t>> ranges);
/// "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace lanework
