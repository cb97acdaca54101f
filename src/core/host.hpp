// The machine that Lanework runs on: its facts, and its caches.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

namespace lanework {

/// "Intel(R) Xeon(R) …", as the kernel names it.
std::string cpu_name();
/// Bytes of the largest cache that the processor reports; 32 MiB when it reports none.
std::size_t last_level_cache_bytes();
/// Bytes of a core's own caches; 0 where the processor reports none.
struct CpuCaches {
    std::size_t l1_data = 0, l2 = 0;
    /// Bytes of a line of the first-level cache.
    std::size_t line = 0;
};
CpuCaches cpu_caches();
/// The highest clock that the kernel knows of, Hz; 0 where it does not say.
double highest_cpu_clock();
/// The widest vectors that the processor computes with: "AVX-512", "AVX2", "SSE2", "NEON"; else "unknown".
std::string widest_vectors();
/// Bytes of memory of the machine.
std::size_t physical_memory_bytes();
/// Writes back and drops the ranges from every cache of the processor (clflush; elsewhere by reading past the caches).
void evict_from_cpu_caches(std::span<const std::pair<const void*, std::size_t>> ranges);
/// $XDG_CACHE_HOME/lanework, or under ~/.cache; empty when the environment names neither.
std::filesystem::path cache_folder();
/// "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace lanework
