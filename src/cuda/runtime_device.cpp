// Memory, launches and event timing through the CUDA runtime API.
#include "src/cuda/runtime_device.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <lanework/memory_error.hpp>
#include <new>

#include "src/cuda/capture_mode.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

static constexpr double kLongestHold = 5e-3;  // seconds

// Makes the device current before the stream is created on it.
static DeviceInfo made_current(DeviceInfo info) {
    LANEWORK_CHECK(cudaSetDevice(info.index));
    return info;
}

RuntimeDevice::RuntimeDevice(DeviceInfo info) : info_(made_current(std::move(info))) { stream_.emplace(); }

void RuntimeDevice::make_current() { LANEWORK_CHECK(cudaSetDevice(info_.index)); }

void* RuntimeDevice::stream() {
    make_current();  // for the launches that follow, whichever thread makes them
    return stream_->get();
}

namespace {
class RuntimeQueue final : public Queue {
public:
    explicit RuntimeQueue(RuntimeDevice& device) : device_(device), stream_(on(device)) {}

    void* stream() override {
        device_.make_current();
        return stream_.get();
    }
    void upload(void* device, const void* host, std::size_t bytes) override {
        if (bytes > 0) LANEWORK_CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_.get()));
    }
    void download(void* host, const void* device, std::size_t bytes) override {
        if (bytes > 0) LANEWORK_CHECK(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream_.get()));
    }
    void wait() override { stream_.synchronize(); }

private:
    static Stream on(RuntimeDevice& device) {
        device.make_current();
        return {};
    }
    RuntimeDevice& device_;
    Stream stream_;
};
}  // namespace

std::unique_ptr<Queue> RuntimeDevice::open_queue() { return std::make_unique<RuntimeQueue>(*this); }

void RuntimeDevice::reset() {
    make_current();
    marks_.clear();
    stream_.reset();
    LANEWORK_CHECK(cudaDeviceReset());
    stream_.emplace();
}

// Lack of memory is no fault of the device, which stays as it was; only the note that it keeps of it is taken away.
template <class Allocation>
static void require_memory(const Allocation& allocation) {
    try {
        allocation();
    } catch (const CudaError& error) {
        if (error.code() != cudaErrorMemoryAllocation) throw;
        static_cast<void>(cudaGetLastError());
        throw MemoryError(error.what());
    }
}

DeviceMemory RuntimeDevice::allocate(std::size_t bytes) {
    make_current();
    void* data = nullptr;
    require_memory([&] { LANEWORK_CHECK(cudaMalloc(&data, std::max<std::size_t>(bytes, 1))); });
    return {*this, data, bytes};
}

// Whole pages, so that no two arrays share one.
static void* allocate_pageable(std::size_t bytes) {
    constexpr std::size_t kPage = 4096;
    void* const data = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
    if (!data) throw std::bad_alloc();
    return data;
}

DeviceMemory RuntimeDevice::allocate_in(Memory memory, std::size_t bytes) {
    if (memory == Memory::device) return allocate(bytes);
    make_current();
    const std::size_t some = std::max<std::size_t>(bytes, 1);
    void* data = nullptr;
    if (memory == Memory::pageable) data = allocate_pageable(some);
    require_memory([&] {
        if (memory == Memory::pinned) LANEWORK_CHECK(cudaHostAlloc(&data, some, cudaHostAllocMapped));
        if (memory == Memory::managed) LANEWORK_CHECK(cudaMallocManaged(&data, some));
    });
    host_.emplace(static_cast<const std::byte*>(data), HostRange{memory, some});
    return {*this, data, bytes};
}

const RuntimeDevice::HostRange* RuntimeDevice::host_range(const void* address) const {
    const auto* const byte = static_cast<const std::byte*>(address);
    const auto after = host_.upper_bound(byte);
    if (after == host_.begin()) return nullptr;
    const auto& [first, range] = *std::prev(after);
    return byte < first + range.bytes ? &range : nullptr;
}

void RuntimeDevice::release(void* device) noexcept {
    const auto found = host_.find(static_cast<const std::byte*>(device));
    const Memory memory = found == host_.end() ? Memory::device : found->second.memory;
    if (found != host_.end()) host_.erase(found);
    if (memory == Memory::pageable)
        std::free(device);
    else if (memory == Memory::pinned)
        cudaFreeHost(device);
    else
        cudaFree(device);
}

void RuntimeDevice::send_home(std::span<const std::pair<const void*, std::size_t>> ranges) {
    const cudaMemLocation host{cudaMemLocationTypeHost, 0};
    for (const auto& [address, bytes] : ranges)
        if (const HostRange* range = host_range(address); range && range->memory == Memory::managed && bytes > 0)
            LANEWORK_CHECK(cudaMemPrefetchAsync(address, bytes, host, 0, stream_->get()));
}

// Host memory is written and read by the host itself, which is also what brings managed pages home.
void RuntimeDevice::upload(void* device, const void* host, std::size_t bytes) {
    if (bytes == 0) return;
    make_current();
    if (host_range(device)) {
        stream_->synchronize();
        std::memcpy(device, host, bytes);
        return;
    }
    LANEWORK_CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_->get()));
    stream_->synchronize();
}

void RuntimeDevice::download(void* host, const void* device, std::size_t bytes) {
    if (bytes == 0) return;
    make_current();
    if (host_range(device)) {
        stream_->synchronize();
        std::memcpy(host, device, bytes);
        return;
    }
    LANEWORK_CHECK(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream_->get()));
    stream_->synchronize();
}

void RuntimeDevice::fill(void* device, std::byte value, std::size_t bytes) {
    make_current();
    if (bytes > 0) LANEWORK_CHECK(cudaMemsetAsync(device, static_cast<int>(value), bytes, stream_->get()));
}

int RuntimeDevice::exchange_capture_mode(int mode) noexcept { return LANEWORK_ON_DEVICE::exchange_capture_mode(mode); }

// The launch's own error, taken away so that it is not blamed on the next call.
void RuntimeDevice::check_launch() { LANEWORK_CHECK(cudaGetLastError()); }

// With other work queued behind it, a launch of some microseconds takes up to a microsecond longer.
double RuntimeDevice::time_alone(Holding& holding, const std::function<void()>& before,
                                 const std::function<void()>& body) {
    using Clock = std::chrono::steady_clock;
    const auto& [first, second] = marks_.front();
    for (;;) {
        const auto start = Clock::now();
        const bool held = holding.attempts > 0 && hold_back(holding.seconds);
        before();
        first.record(stream_->get());
        body();
        second.record(stream_->get());
        check_launch();
        const bool queued_in_time = !first.is_reached();
        const std::chrono::duration<double> spent = Clock::now() - start;
        synchronize();
        if (queued_in_time || !held) return second.seconds_since(first);
        holding.seconds = std::min(2 * spent.count(), kLongestHold);
        --holding.attempts;
    }
}

std::vector<double> RuntimeDevice::time(int count, const std::function<void()>& before,
                                        const std::function<void()>& body) {
    make_current();
    const auto runs = static_cast<std::size_t>(std::max(count, 0));
    while (marks_.size() < std::max<std::size_t>(runs, 1)) marks_.emplace_back();
    std::vector<double> seconds(runs);
    if (before) {
        Holding holding;
        for (double& each : seconds) each = time_alone(holding, before, body);
        return seconds;
    }
    for (std::size_t run = 0; run < runs; ++run) {
        marks_[run].first.record(stream_->get());
        body();
        marks_[run].second.record(stream_->get());
    }
    check_launch();
    synchronize();
    for (std::size_t run = 0; run < runs; ++run) seconds[run] = marks_[run].second.seconds_since(marks_[run].first);
    return seconds;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
