// Where a public function computes, and in which order with others: the last argument of each of them.
#pragma once

#include <cstddef>
#include <lanework/device.hpp>
#include <lanework/team.hpp>
#include <memory>

struct CUstream_st;  // what a cudaStream_t points at…
namespace lanework_simt {
inline namespace api {
struct CUstream_st;  // …and one of the simt device's headers
}
}  // namespace lanework_simt

namespace lanework {

/// A stream of a device: work in order. A cudaStream_t is one as it is, NVIDIA's or that of the simt device's headers.
class Stream {
public:
    Stream(::CUstream_st* stream) : handle_(stream) {}               // NOLINT(google-explicit-constructor)
    Stream(lanework_simt::CUstream_st* stream) : handle_(stream) {}  // NOLINT(google-explicit-constructor)
    /// CUDA's default stream.
    Stream(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)
    /// The stream on which the device itself copies and waits.
    static Stream of(Device& device) { return Stream(Given{device.stream()}); }
    static Stream of(Queue& queue) { return Stream(Given{queue.stream()}); }

    void* handle() const { return handle_; }

private:
    struct Given {
        void* handle;
    };
    explicit Stream(Given given) : handle_(given.handle) {}

    void* handle_ = nullptr;
};

/// A team of threads, where a function returns when all is done; or a device and one of its streams, where it enqueues
/// its kernels and returns.
class Target {
public:
    /// Throws UsageError for a team without threads, or with more than kMostThreads.
    Target(Team team) : kind_(DeviceKind::cpu), team_(checked(team)) {}  // NOLINT(google-explicit-constructor)
    /// What is computed is in the device's memory. The stream of a cpu device is its own.
    Target(Device& device, Stream stream) : kind_(device.info().kind), device_(&device), stream_(stream.handle()) {}
    /// On the device's own stream.
    Target(Device& device) : Target(device, Stream::of(device)) {}  // NOLINT(google-explicit-constructor)

    DeviceKind kind() const { return kind_; }
    /// What Rung::Typed::launch_args takes.
    void* stream() { return device_ ? stream_ : &team_; }
    /// The device whose launches are to be checked; null for a team.
    Device* device() const { return device_; }

private:
    DeviceKind kind_;
    Team team_;
    Device* device_ = nullptr;
    void* stream_ = nullptr;
};

/// The fastest device that is here: a GPU where there is one, else the processor. Throws UnavailableError where this
/// build has neither.
std::unique_ptr<Device> best_device();

}  // namespace lanework
