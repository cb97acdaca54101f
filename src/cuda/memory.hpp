// Device memory as an owner and a view: DeviceBuffer frees what it holds, DeviceView only looks at it.
#pragma once

#include <cstddef>
#include <utility>

#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// `size` elements at a device address; not dereferenceable on the host.
template <class T>
struct DeviceView {
    T* data = nullptr;
    std::size_t size = 0;

    std::size_t bytes() const { return size * sizeof(T); }
};

/// Owns `size` elements of device memory, allocated and freed in the order of a stream.
template <class T>
class DeviceBuffer {
public:
    DeviceBuffer() = default;
    /// Throws CudaError (cudaErrorMemoryAllocation when there is not enough).
    DeviceBuffer(std::size_t size, cudaStream_t stream) : size_(size), stream_(stream) {
        if (size > 0) LANEWORK_CHECK(cudaMallocAsync(reinterpret_cast<void**>(&data_), size * sizeof(T), stream));
    }
    DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        swap(other);
        return *this;
    }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    ~DeviceBuffer() {
        if (data_) cudaFreeAsync(data_, stream_);  // a failing free has no one to tell
    }

    DeviceView<T> view() { return {data_, size_}; }
    DeviceView<const T> view() const { return {data_, size_}; }

private:
    void swap(DeviceBuffer& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(stream_, other.stream_);
    }
    T* data_ = nullptr;
    std::size_t size_ = 0;
    cudaStream_t stream_ = nullptr;
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
