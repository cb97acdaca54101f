// A device: where rungs run. The harness talks to every kind of device through this interface alone.
#pragma once

#include <cstdint>
#include <functional>
#include <lanework/rung.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lanework {

/// One property of a device for people and results files: {"L2 cache", "50 MiB"}.
struct Property {
    std::string name;
    std::string value;
};

struct DeviceInfo {
    DeviceKind kind = DeviceKind::cpu;
    int index = 0;
    /// "cuda:0", "simt", "simt:t4" or "cpu".
    std::string id;
    /// The GPU that simt stands for, as --gpu takes it: "h200". Empty for other kinds.
    std::string stands_for;
    /// "NVIDIA H200", "Intel(R) Xeon(R) …".
    std::string name;
    /// Everything that a measured ceiling depends on: name, driver, clocks or thread count. Keys the cache.
    std::string fingerprint;
    std::size_t memory_bytes = 0;
    /// The last cache before memory; the working set of a cold measurement is larger or is flushed out of it.
    std::size_t last_level_cache_bytes = 0;
    /// OS threads that run work: all of simt's and cpu's parallelism; 0 for a GPU.
    int threads = 0;
    std::vector<Property> properties;
};

class Device;

/// The number of cudaStreamCaptureModeRelaxed, and of the driver's mode of that name.
inline constexpr int kRelaxedCapture = 2;

/// Owns memory of a device; empty after a move. `data` is an address on the device.
class DeviceMemory {
public:
    DeviceMemory() = default;
    DeviceMemory(Device& device, void* data, std::size_t bytes) : device_(&device), data_(data), bytes_(bytes) {}
    DeviceMemory(DeviceMemory&& other) noexcept { swap(other); }
    DeviceMemory& operator=(DeviceMemory&& other) noexcept {
        swap(other);
        return *this;
    }
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    ~DeviceMemory();

    std::byte* data() const { return static_cast<std::byte*>(data_); }
    std::size_t bytes() const { return bytes_; }

private:
    void swap(DeviceMemory& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
    }
    Device* device_ = nullptr;
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

/// Work in order beside a device's own stream: copies and launches of one queue follow each other, those of several may
/// overlap. Used by one thread at a time; ends before its device. Functions throw DeviceError.
class Queue {
public:
    virtual ~Queue() = default;
    /// What rungs are launched on, as Rung::Typed::launch takes it.
    virtual void* stream() = 0;
    /// Enqueues a copy; from and to host memory of Memory::pinned it overlaps other work, and that memory must not be
    /// touched before wait().
    virtual void upload(void* device, const void* host, std::size_t bytes) = 0;
    virtual void download(void* host, const void* device, std::size_t bytes) = 0;
    /// Until all of it is done.
    virtual void wait() = 0;
};

/// All functions throw DeviceError with the failed call, its place, code and text.
class Device {
public:
    virtual ~Device() = default;

    virtual const DeviceInfo& info() const = 0;

    /// At least 256-byte aligned; `bytes` may be 0. Contents are undefined.
    virtual DeviceMemory allocate(std::size_t bytes) = 0;
    /// The same in another kind of memory; the device's own where it has only that.
    virtual DeviceMemory allocate_in(Memory /*memory*/, std::size_t bytes) { return allocate(bytes); }
    virtual void upload(void* device, const void* host, std::size_t bytes) = 0;
    virtual void download(void* host, const void* device, std::size_t bytes) = 0;
    /// Sets every byte.
    virtual void fill(void* device, std::byte value, std::size_t bytes) = 0;

    /// Another queue beside the device's own stream; any number of them.
    virtual std::unique_ptr<Queue> open_queue() = 0;
    /// The stream that rungs are launched on, as Rung::Typed::launch takes it.
    virtual void* stream() = 0;
    /// Makes `mode` this thread's cudaStreamCaptureMode, and returns the one before. With kRelaxedCapture, code that is
    /// launched for the first time can be loaded while a stream is captured.
    virtual int exchange_capture_mode(int mode) noexcept { return mode; }
    /// Throws when the launch that was just made was refused; does not wait.
    virtual void check_launch() = 0;
    /// Waits for the stream; throws when anything on it failed.
    virtual void synchronize() = 0;

    /// Seconds of each of `count` runs of `body`, in order, by the device's own clock (CUDA events, a steady clock).
    /// `before` runs ahead of each and is not timed: it evicts caches or changes inputs. With it, each run is queued
    /// whole before the device comes to it, and nothing behind it, as far as the device can be made to wait.
    virtual std::vector<double> time(int count, const std::function<void()>& before,
                                     const std::function<void()>& body) = 0;
    /// Evicts the given ranges from the device's caches, so that the next run reads memory; managed pages among them
    /// return to the host.
    virtual void evict(std::span<const std::pair<const void*, std::size_t>> ranges) = 0;

    /// How many schedules the device can be told to follow: 1 for hardware, which chooses its own.
    virtual int schedules() const { return 1; }
    /// Follows a schedule from now on: 0 is the device's natural order; others (simt) interleave lanes, warps and
    /// blocks in an order drawn from the seed, so that a hidden race becomes a wrong answer that can be repeated.
    virtual void set_schedule(std::uint64_t /*seed*/) {}

    /// After a failed kernel: makes the device usable again where that is possible (simt); all its memory is lost to
    /// it but may still be released. A GPU's sticky error ends with the process.
    virtual void recover() {}

protected:
    friend class DeviceMemory;
    virtual void release(void* device) noexcept = 0;
};

inline DeviceMemory::~DeviceMemory() {
    if (data_) device_->release(data_);
}

/// Whether a kind of device was compiled in, and if no such device can be used, why.
struct Availability {
    bool compiled = false;
    int count = 0;
    /// Empty when count > 0; else one sentence: "this build has no CUDA", "no GPU was found: …".
    std::string reason;
};
Availability availability(DeviceKind kind);

/// One kind of device of this build, as the generated list holds it.
struct DeviceFactory {
    DeviceKind kind;
    Availability (*availability)();
    /// `index` is below Availability::count. Null for a kind of one device that stands for one of several GPUs…
    std::unique_ptr<Device> (*open)(int index);
    /// …which is named here; empty for the one by default. Throws UsageError for one that is not known.
    std::unique_ptr<Device> (*open_as)(std::string_view gpu) = nullptr;
};

/// Opens a device: "cuda", "cuda:1", "simt", "simt:t4" or "cpu". Throws UsageError for an id that is none of these and
/// UnavailableError when it is not here.
std::unique_ptr<Device> open_device(std::string_view id);

}  // namespace lanework
