// The cpu device: host memory, a team of threads, a steady clock.
#include <fmt/format.h>
#include <omp.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <lanework/device.hpp>
#include <lanework/memory_error.hpp>

#include "src/core/host.hpp"
#include "src/core/text.hpp"

namespace lanework {
namespace {

constexpr std::size_t kAlignment = 4096;       // whole pages: no two buffers share one
constexpr std::size_t kHugePage = 2ULL << 20;  // small ones would have strided walks wait for page tables

/// Whole pages for a buffer, huge ones for a large buffer; null when there is no memory.
void* allocate_pages(std::size_t bytes) {
    const std::size_t page = bytes < kHugePage ? kAlignment : kHugePage;
    const std::size_t whole = (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
    void* data = std::aligned_alloc(page, whole);
#ifdef MADV_HUGEPAGE
    if (data && page == kHugePage) madvise(data, whole, MADV_HUGEPAGE);  // a wish: without it all works, slower
#endif
    return data;
}

std::string size_of_cache(std::size_t bytes) { return bytes > 0 ? format_bytes(bytes) : "unknown"; }

std::string highest_clock() {
    const double hertz = highest_cpu_clock();
    return hertz > 0 ? fmt::format("{:.0f} MHz", hertz / 1e6) : "unknown";
}

DeviceInfo describe() {
    DeviceInfo info;
    info.kind = DeviceKind::cpu;
    info.id = "cpu";
    info.name = cpu_name();
    info.threads = omp_get_max_threads();
    info.memory_bytes = physical_memory_bytes();
    info.last_level_cache_bytes = last_level_cache_bytes();
    info.fingerprint = fmt::format("{}|{} threads|{} cache|{} memory", info.name, info.threads,
                                   info.last_level_cache_bytes, info.memory_bytes);
    info.properties = {{"name", info.name},
                       {"threads", fmt::format("{}", info.threads)},
                       {"clock", highest_clock()},
                       {"vectors", widest_vectors()},
                       {"memory", format_bytes(info.memory_bytes)},
                       {"L1 data cache, per core", size_of_cache(cpu_caches().l1_data)},
                       {"L2 cache, per core", size_of_cache(cpu_caches().l2)},
                       {"last-level cache", format_bytes(info.last_level_cache_bytes)},
                       {"cache line", size_of_cache(cpu_caches().line)}};
    return info;
}

void copy(void* to, const void* from, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
}

/// Nothing overlaps: every call returns when it is done.
class CpuQueue final : public Queue {
public:
    explicit CpuQueue(Team team) : team_(team) {}
    void* stream() override { return &team_; }
    void upload(void* device, const void* host, std::size_t bytes) override { copy(device, host, bytes); }
    void download(void* host, const void* device, std::size_t bytes) override { copy(host, device, bytes); }
    void wait() override {}

private:
    Team team_;
};

class CpuDevice final : public Device {
public:
    const DeviceInfo& info() const override { return info_; }

    DeviceMemory allocate(std::size_t bytes) override {
        void* data = bytes <= info_.memory_bytes ? allocate_pages(bytes) : nullptr;
        if (!data)
            throw MemoryError(
                fmt::format("cpu: cannot allocate {} of {}", format_bytes(bytes), format_bytes(info_.memory_bytes)));
        return {*this, data, bytes};
    }
    void upload(void* device, const void* host, std::size_t bytes) override { copy(device, host, bytes); }
    void download(void* host, const void* device, std::size_t bytes) override { copy(host, device, bytes); }
    void fill(void* device, std::byte value, std::size_t bytes) override {
        std::memset(device, static_cast<int>(value), bytes);
    }
    std::unique_ptr<Queue> open_queue() override { return std::make_unique<CpuQueue>(team_); }
    void* stream() override { return &team_; }
    void check_launch() override {}
    void synchronize() override {}

    std::vector<double> time(int count, const std::function<void()>& before,
                             const std::function<void()>& body) override {
        using Clock = std::chrono::steady_clock;
        std::vector<double> seconds;
        for (int run = 0; run < count; ++run) {
            if (before) before();
            const auto start = Clock::now();
            body();
            seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
        }
        return seconds;
    }
    void evict(std::span<const std::pair<const void*, std::size_t>> ranges) override { evict_from_cpu_caches(ranges); }

protected:
    void release(void* device) noexcept override { std::free(device); }

private:
    DeviceInfo info_ = describe();
    Team team_{info_.threads};
};

Availability always() { return {.compiled = true, .count = 1, .reason = {}}; }
std::unique_ptr<Device> open(int) { return std::make_unique<CpuDevice>(); }

}  // namespace
}  // namespace lanework

extern const lanework::DeviceFactory lanework_device_cpu;
constinit const lanework::DeviceFactory lanework_device_cpu{lanework::DeviceKind::cpu, lanework::always,
                                                            lanework::open};
