// A recipe on one picture after another, on a device: up, kernels, down.
#pragma once

#include <mutex>

#include "src/pictures/recipe.hpp"

namespace lanework {

/// A device for several threads, each with processors of its own: its memory is taken by one at a time.
struct SharedDevice {
    Device& device;
    /// Of the cpu device, those that one processor may use.
    Team team;
    std::mutex memory{};
};

/// For one thread at a time; made, and destroyed, where no other thread takes memory of the device. Its buffers grow to
/// those of the largest picture and stay.
class PictureProcessor {
public:
    PictureProcessor(SharedDevice& shared, PictureRecipe recipe);

    /// Begins with a picture, whose memory is free again when it returns; the cpu device is then done with it too. Of
    /// one channel, three or four, as the operation takes them.
    void start(const ImageView<const std::uint8_t>& in);
    /// Waits for it: the samples of the output, of tensor its elements, tightly packed.
    std::vector<std::uint8_t> finish();
    /// Of the output of the picture that was begun with.
    const PictureShape& shape() const { return out_; }

private:
    /// Device memory that grows.
    std::byte* at_least(DeviceMemory& memory, std::size_t bytes, Memory kind);
    void start_on_device(const ImageView<const std::uint8_t>& in, const std::vector<ImageStep>& steps,
                         std::size_t largest);

    SharedDevice& shared_;
    PictureRecipe recipe_;
    std::unique_ptr<Queue> queue_;
    DeviceMemory sent_, in_memory_, between_memory_, out_memory_, received_;
    PictureShape out_;
    std::size_t out_bytes_ = 0;
    std::vector<std::uint8_t> result_;
    bool on_its_way_ = false;
};

}  // namespace lanework
