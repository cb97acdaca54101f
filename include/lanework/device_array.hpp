// Elements in a device's memory, owned and typed.
#pragma once

#include <lanework/array_view.hpp>
#include <lanework/device.hpp>
#include <lanework/error.hpp>
#include <lanework/memory_error.hpp>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace lanework {

/// `size()` elements, at least 256-byte aligned; empty after a move. The device must outlive it.
template <class T>
class DeviceArray {
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied byte by byte");

public:
    DeviceArray() = default;
    /// Undefined contents. Throws UsageError for a negative count, MemoryError for more bytes than an address counts,
    /// DeviceError where the device has not so much.
    DeviceArray(Device& device, std::int64_t count)
        : device_(&device), memory_(count == 0 ? DeviceMemory() : device.allocate(bytes_of(count))), size_(count) {}
    /// A copy of host memory.
    DeviceArray(Device& device, std::span<const T> host) : DeviceArray(device, std::ssize(host)) { upload(host); }

    /// Null where there are no elements.
    T* data() const { return reinterpret_cast<T*>(memory_.data()); }
    std::int64_t size() const { return size_; }
    std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }
    ArrayView<T> view() const { return {data(), size_}; }
    /// Rows of `cols` elements side by side; the caller sees to it that there are so many.
    MatrixView<T> matrix(std::int64_t rows, std::int64_t cols) const {
        return MatrixView<T>::tight(data(), rows, cols);
    }

    /// Copies from host memory, behind what the device's own stream was given before. Throws UsageError unless the
    /// sizes are equal.
    void upload(std::span<const T> host) const {
        require_size("upload", std::ssize(host));
        if (size_ > 0) device_->upload(data(), host.data(), host.size_bytes());
    }
    /// Copies to host memory, behind what the device's own stream was given before.
    void download(std::span<T> host) const {
        require_size("download", std::ssize(host));
        if (size_ > 0) device_->download(host.data(), data(), host.size_bytes());
    }
    std::vector<T> to_host() const {
        std::vector<T> host(static_cast<std::size_t>(size_));
        download(host);
        return host;
    }

private:
    static std::size_t bytes_of(std::int64_t count) {
        if (count < 0) throw UsageError("DeviceArray: a count of " + std::to_string(count) + "; 0 or more is right");
        if (count > std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(sizeof(T)))
            throw MemoryError("DeviceArray: " + std::to_string(count) + " elements are more than an address counts");
        return static_cast<std::size_t>(count) * sizeof(T);
    }
    void require_size(const char* function, std::int64_t size) const {
        if (size != size_)
            throw UsageError(std::string("DeviceArray::") + function + ": " + std::to_string(size) +
                             " elements for an array of " + std::to_string(size_));
    }

    Device* device_ = nullptr;
    DeviceMemory memory_;
    std::int64_t size_ = 0;
};

}  // namespace lanework
