// Memory, launches and event timing through the CUDA runtime API.
#include "src/cuda/runtime_device.hpp"

#include <algorithm>

namespace lanework::inline LANEWORK_ON_DEVICE {

// Makes the device current before the stream is created on it.
static DeviceInfo made_current(DeviceInfo info) {
    LANEWORK_CHECK(cudaSetDevice(info.index));
    return info;
}

RuntimeDevice::RuntimeDevice(DeviceInfo info) : info_(made_current(std::move(info))) { stream_.emplace(); }

void RuntimeDevice::reset() {
    marks_.clear();
    stream_.reset();
    LANEWORK_CHECK(cudaDeviceReset());
    stream_.emplace();
}

DeviceMemory RuntimeDevice::allocate(std::size_t bytes) {
    void* data = nullptr;
    LANEWORK_CHECK(cudaMalloc(&data, std::max<std::size_t>(bytes, 1)));
    return {*this, data, bytes};
}

void RuntimeDevice::release(void* device) noexcept { cudaFree(device); }

void RuntimeDevice::upload(void* device, const void* host, std::size_t bytes) {
    if (bytes == 0) return;
    LANEWORK_CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_->get()));
    stream_->synchronize();
}

void RuntimeDevice::download(void* host, const void* device, std::size_t bytes) {
    if (bytes == 0) return;
    LANEWORK_CHECK(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream_->get()));
    stream_->synchronize();
}

void RuntimeDevice::fill(void* device, std::byte value, std::size_t bytes) {
    if (bytes > 0) LANEWORK_CHECK(cudaMemsetAsync(device, static_cast<int>(value), bytes, stream_->get()));
}

// The launch's own error, taken away so that it is not blamed on the next call.
void RuntimeDevice::check_launch() { LANEWORK_CHECK(cudaGetLastError()); }

std::vector<double> RuntimeDevice::time(int count, const std::function<void()>& before,
                                        const std::function<void()>& body) {
    const auto runs = static_cast<std::size_t>(count);
    while (marks_.size() < runs) marks_.emplace_back();
    // Everything is queued before anything is waited for: the gap between the marks holds the body alone, as the
    // device is still busy with `before` while the host queues it.
    for (std::size_t run = 0; run < runs; ++run) {
        if (before) before();
        marks_[run].first.record(stream_->get());
        body();
        marks_[run].second.record(stream_->get());
    }
    check_launch();
    synchronize();
    std::vector<double> seconds(runs);
    for (std::size_t run = 0; run < runs; ++run) seconds[run] = marks_[run].second.seconds_since(marks_[run].first);
    return seconds;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
