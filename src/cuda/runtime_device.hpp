// A device behind the CUDA runtime API, whoever implements that: NVIDIA's driver or the simt device.
#pragma once

#include <lanework/device.hpp>
#include <map>
#include <optional>

#include "src/cuda/memory.hpp"
#include "src/cuda/stream.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

class RuntimeDevice : public Device {
public:
    explicit RuntimeDevice(DeviceInfo info);

    const DeviceInfo& info() const override { return info_; }
    DeviceMemory allocate(std::size_t bytes) override;
    DeviceMemory allocate_in(Memory memory, std::size_t bytes) override;
    void upload(void* device, const void* host, std::size_t bytes) override;
    void download(void* host, const void* device, std::size_t bytes) override;
    void fill(void* device, std::byte value, std::size_t bytes) override;
    std::unique_ptr<Queue> open_queue() override;
    void* stream() override;
    int exchange_capture_mode(int mode) noexcept override;
    void check_launch() override;
    void synchronize() override { stream_->synchronize(); }
    std::vector<double> time(int count, const std::function<void()>& before,
                             const std::function<void()>& body) override;

    /// Makes the device the current one of the calling thread: what follows is allocated and launched there. Every
    /// function here does, since several devices may be open.
    virtual void make_current();

protected:
    void release(void* device) noexcept override;
    /// Sends the managed pages among the ranges to the host, in the order of the stream.
    void send_home(std::span<const std::pair<const void*, std::size_t>> ranges);
    /// Lets the stream wait so long with what follows. False, and nothing done, where a launch is done when it returns.
    virtual bool hold_back(double /*seconds*/) { return false; }
    /// cudaDeviceReset, with the stream and the events that it would take away renewed.
    void reset();

private:
    struct HostRange {
        Memory memory;
        std::size_t bytes;
    };
    /// How long the stream must be held back for the host to queue a run.
    struct Holding {
        double seconds = 0;
        int attempts = 3;  ///< left: a body that waits for the device itself cannot be queued ahead
    };
    double time_alone(Holding& holding, const std::function<void()>& before, const std::function<void()>& body);

    /// What is known about host memory that this device handed out; null for its own memory.
    const HostRange* host_range(const void* address) const;

    DeviceInfo info_;
    std::map<const std::byte*, HostRange> host_;  // by first byte
    std::optional<Stream> stream_;                // empty only within reset()
    std::vector<std::pair<Event, Event>> marks_;  // kept from one call to the next: creating events takes time
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
