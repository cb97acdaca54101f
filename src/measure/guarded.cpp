// Guard bands: written before a launch, compared after it.
#include "src/measure/guarded.hpp"

#include <algorithm>

#include "src/core/fill.hpp"

namespace lanework {
namespace {

// Bytes of each band: a multiple of 256, so that the array stays aligned. The band behind the array begins directly
// after its last element, wherever that is.
constexpr std::size_t kBand = 4096;

}  // namespace

GuardedArray::GuardedArray(Device& device, std::size_t bytes, Memory memory)
    : device_(&device), bytes_(bytes), memory_(device.allocate_in(memory, kBand + bytes + kBand)) {}

std::byte* GuardedArray::data() const { return memory_.data() + kBand; }

std::vector<std::byte> GuardedArray::armed() const {
    std::vector<std::byte> bands(2 * kBand);
    fill_uniform(reinterpret_cast<std::uint8_t*>(bands.data()), bands.size(), seed_);
    return bands;
}

void GuardedArray::arm(std::uint64_t seed) {
    seed_ = seed;
    const auto bands = armed();
    device_->upload(memory_.data(), bands.data(), kBand);
    device_->upload(data() + bytes_, bands.data() + kBand, kBand);
}

std::optional<std::ptrdiff_t> GuardedArray::breach() const {
    std::vector<std::byte> found(2 * kBand);
    device_->download(found.data(), memory_.data(), kBand);
    device_->download(found.data() + kBand, data() + bytes_, kBand);
    const auto bands = armed();
    const auto at = std::mismatch(bands.begin(), bands.end(), found.begin()).first - bands.begin();
    if (static_cast<std::size_t>(at) == bands.size()) return std::nullopt;
    const std::ptrdiff_t band = kBand;
    return at < band ? at - band : at - band + static_cast<std::ptrdiff_t>(bytes_);
}

}  // namespace lanework
