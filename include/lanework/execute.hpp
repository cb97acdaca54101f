// Running a rung once on data of the caller's: what commands and examples use to compute rather than to measure.
#pragma once

#include <lanework/device.hpp>
#include <lanework/operation.hpp>

namespace lanework {

/// Uploads the input arrays, runs the rung and downloads the output arrays. `host` holds host addresses in the order
/// of Operation::buffers. Throws UnavailableError when the rung refuses the problem, DeviceError when it fails.
void execute(Device& device, const Operation& operation, const Rung& rung, const Problem& problem, const Buffers& host);
/// The same, for somebody who watches the launch: `watch` is called once all is prepared, with what launches the rung
/// and waits for its end, and calls that as often as it likes, at least once.
void execute(Device& device, const Operation& operation, const Rung& rung, const Problem& problem, const Buffers& host,
             const std::function<void(const std::function<void()>& launch)>& watch);

/// The arrays of a problem in host memory, zeroed, in the order of Operation::buffers.
class HostArrays {
public:
    HostArrays(const Operation& operation, const Problem& problem);

    Buffers buffers() const { return {addresses_}; }
    const std::vector<BufferSpec>& specs() const { return specs_; }
    std::byte* data(std::size_t array) { return storage_[array].data(); }
    const std::byte* data(std::size_t array) const { return storage_[array].data(); }
    std::size_t bytes(std::size_t array) const { return specs_[array].count * size_of(specs_[array].dtype); }

private:
    std::vector<BufferSpec> specs_;
    std::vector<std::vector<std::byte>> storage_;
    std::vector<void*> addresses_;
};

}  // namespace lanework
