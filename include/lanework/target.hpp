// Where a public function computes, and in which order with others: the last argument of each of them.
#pragma once

#include <lanework/device.hpp>
#include <lanework/team.hpp>
#include <memory>

struct CUstream_st;  // what a cudaStream_t points at

namespace lanework {

/// A stream of a device: work in order. A cudaStream_t is one as it is; simt's streams have the same type.
class Stream {
public:
    /// CUDA's default stream is null.
    Stream(::CUstream_st* stream) : handle_(stream) {}  // NOLINT(google-explicit-constructor)
    /// The stream on which the device itself copies and waits.
    static Stream of(Device& device) { return Stream(static_cast<::CUstream_st*>(device.stream())); }
    static Stream of(Queue& queue) { return Stream(static_cast<::CUstream_st*>(queue.stream())); }

    ::CUstream_st* handle() const { return handle_; }

private:
    ::CUstream_st* handle_;
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
