// An array on a device between two bands of random bytes, so that whatever is written around it is seen.
#pragma once

#include <lanework/device.hpp>
#include <optional>

namespace lanework {

class GuardedArray {
public:
    GuardedArray(Device& device, std::size_t bytes, Memory memory = Memory::device);

    /// Aligned as Device::allocate aligns, at least to 256 bytes.
    std::byte* data() const;
    std::size_t bytes() const { return bytes_; }

    /// Writes new random bytes around the array.
    void arm(std::uint64_t seed);
    /// The first byte around the array that is no longer as it was armed: negative before its start, ≥ bytes() after
    /// its end.
    std::optional<std::ptrdiff_t> breach() const;

private:
    /// The whole allocation's guard bytes, as armed: the band before the array, then the band after it.
    std::vector<std::byte> armed() const;

    Device* device_;
    std::size_t bytes_;
    DeviceMemory memory_;
    std::uint64_t seed_ = 0;
};

}  // namespace lanework
