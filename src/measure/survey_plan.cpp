// The plan of a survey. What an operation's count of work means in the unit of a figure is said here, once.
#include "src/measure/survey_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "src/core/host.hpp"
#include "src/core/text.hpp"

namespace lanework {
namespace {

double bytes(const Work& work) { return static_cast<double>(work.bytes()); }
double operations(const Work& work) { return static_cast<double>(work.flops); }
// Of `banks`: a multiply-add, two operations, for every two words that each thread reads from shared memory.
double shared_bytes(const Work& work) { return sizeof(std::int32_t) * static_cast<double>(work.flops); }

struct Level {
    std::string name;
    std::uint64_t bytes;
};

// Sizes that lie well inside each cache.
std::vector<Level> levels(const DeviceInfo& device) {
    const std::uint64_t last = device.last_level_cache_bytes;
    if (device.kind == DeviceKind::cuda) return {{"L2", last / 32}, {"L2", last / 8}, {"L2", last / 2}};
    std::vector<Level> result;
    const CpuCaches caches = cpu_caches();
    if (caches.l1_data > 0) result.push_back({"L1", caches.l1_data / 2});
    if (caches.l2 > 0) result.push_back({"L2", caches.l2 / 2});
    if (last > caches.l2) result.push_back({"L3", last / 2});
    return result;
}

void add_caches(std::vector<Probe>& probes, const DeviceInfo& device) {
    struct Transfer {
        const char* operation;
        std::uint64_t bytes_per_word;  // moved
    };
    for (const Transfer& transfer : {Transfer{"copy", 8}, Transfer{"read", 4}, Transfer{"write", 4}})
        for (const Level& level : levels(device)) {
            const std::uint64_t words = level.bytes / transfer.bytes_per_word / 64 * 64;
            probes.push_back({.group = "cache",
                              .name = fmt::format("{} {} ({})", transfer.operation,
                                                  format_bytes(words * transfer.bytes_per_word), level.name),
                              .operation = transfer.operation,
                              .rung = {},
                              .extent = extents(words),
                              .unit = Unit::bytes_per_second,
                              .amount = bytes});
        }
}

void add_shared_memory(std::vector<Probe>& probes, const Extents& extent) {
    probes.push_back({.group = "shared memory",
                      .name = "read, no conflicts",
                      .operation = "banks",
                      .rung = "stride_33",
                      .extent = extent,
                      .unit = Unit::bytes_per_second,
                      .part = Part::shared_memory,
                      .amount = shared_bytes});
}

void add_atomics(std::vector<Probe>& probes, std::string_view rung, std::string_view where, std::string_view cells,
                 const Extents& extent) {
    probes.push_back({.group = "atomics",
                      .name = fmt::format("{}: {}", where, cells),
                      .operation = "tally",
                      .rung = rung,
                      .extent = extent,
                      .unit = Unit::operations_per_second,
                      .amount = operations});
}

// Threads, and rounds where they do not meet and where they all do: that is slow.
struct Crowd {
    std::int64_t threads, apart, together;
};

void add_gpu_atomics(std::vector<Probe>& probes, const Crowd& crowd) {
    const std::int64_t block = 256;
    add_atomics(probes, "shared_atomics", "shared memory", "a cell per thread",
                extents(crowd.threads, block, 4 * crowd.apart));
    add_atomics(probes, "shared_atomics", "shared memory", "one cell per block",
                extents(crowd.threads, 1, crowd.together));
    add_atomics(probes, "global_atomics", "global memory", "a cell per thread",
                extents(crowd.threads, crowd.threads, crowd.apart));
    add_atomics(probes, "global_atomics", "global memory", "one cell", extents(crowd.threads, 1, crowd.together));
}

constexpr std::int64_t kLinkWords = 1 << 24;  // 64 MiB: the start-up of a transfer no longer shows

void add_link(std::vector<Probe>& probes) {
    struct Kind {
        const char* rung;
        const char* memory;
    };
    for (const char* direction : {"upload", "download"})
        for (const Kind& kind :
             {Kind{"pinned", "pinned"}, Kind{"pageable", "pageable"}, Kind{"zero_copy", "mapped"},
              Kind{"managed_prefetched", "managed, prefetched"}, Kind{"managed", "managed, by faults"}})
            probes.push_back({.group = "host link",
                              .name = fmt::format("{} {}", direction, kind.memory),
                              .operation = "transfer",
                              .rung = kind.rung,
                              .extent = extents(kLinkWords),
                              .variant = direction,
                              .hot = false,
                              .unit = Unit::bytes_per_second,
                              .part = Part::link,
                              .amount = bytes});
}

}  // namespace

std::vector<Probe> probes_for(const DeviceInfo& device) {
    std::vector<Probe> probes;
    if (device.kind != DeviceKind::simt) add_caches(probes, device);
    if (device.kind == DeviceKind::cuda) {
        add_shared_memory(probes, extents(1 << 20, 8));
        add_gpu_atomics(probes, {1 << 20, 64, 16});
        add_link(probes);
    }
    if (device.kind == DeviceKind::simt) {
        add_shared_memory(probes, extents(1 << 10, 1));
        add_gpu_atomics(probes, {1 << 10, 4, 4});
    }
    if (device.kind == DeviceKind::cpu) {
        const std::int64_t threads = 1 << 12, rounds = 64;
        add_atomics(probes, "atomics", "all cores", "cells of their own", extents(threads, threads, rounds));
        add_atomics(probes, "atomics", "all cores", "one cell", extents(threads, 1, rounds));
    }
    return probes;
}

}  // namespace lanework
