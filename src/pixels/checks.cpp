// Views of images that cannot be what they say are refused.
#include "src/pixels/checks.hpp"

#include <limits>

namespace lanework::image {
namespace {

constexpr std::int64_t kMostSide = std::numeric_limits<std::int32_t>::max();

void require_shape(std::string_view operation, std::string_view name, std::int64_t height, std::int64_t width,
                   int channels) {
    if (channels != 1 && channels != 3 && channels != 4)
        throw UsageError(fmt::format("{}: {}.channels is {}; 1, 3 and 4 are right", operation, name, channels));
    if (height < 0 || width < 0 || height > kMostSide || width > kMostSide / channels)
        throw UsageError(
            fmt::format("{}: {} is {}×{} pixels; a side is from 0 to 2³¹ − 1 samples", operation, name, height, width));
}

void require_pitch(std::string_view operation, std::string_view name, std::int64_t pitch, std::int64_t height,
                   std::int64_t row, std::int64_t sample) {
    constexpr std::int64_t kMostBytes = std::int64_t{1} << 47;
    if (pitch > kMostBytes / height)
        throw UsageError(fmt::format("{}: {}.pitch is {} bytes, and {} rows of them are more than any memory has",
                                     operation, name, pitch, height));
    if (pitch < row)
        throw UsageError(fmt::format("{}: {}.pitch is {} bytes, and a row has {}", operation, name, pitch, row));
    if (pitch % sample != 0)
        throw UsageError(
            fmt::format("{}: {}.pitch is {} bytes, not a multiple of a sample's {}", operation, name, pitch, sample));
}

void require_address(std::string_view operation, std::string_view name, const void* address, std::int64_t sample) {
    if (!address) throw UsageError(fmt::format("{}: {} has no address", operation, name));
    if (reinterpret_cast<std::uintptr_t>(address) % static_cast<std::uintptr_t>(sample) != 0)
        throw UsageError(fmt::format("{}: {} does not begin at a multiple of {} bytes", operation, name, sample));
}

}  // namespace

template <class T>
void require_view(std::string_view operation, std::string_view name, const ImageView<T>& image) {
    require_shape(operation, name, image.height, image.width, image.channels);
    if (image.height == 0 || image.width == 0) return;
    require_address(operation, name, image.pixels, sizeof(T));
    require_pitch(operation, name, image.pitch, image.height,
                  image.width * image.channels * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
}

template <class T>
void require_batch(std::string_view operation, std::string_view name, const ImageBatch<T>& batch) {
    require_shape(operation, name, batch.most_height, batch.most_width, batch.channels);
    if (batch.count < 0)
        throw UsageError(fmt::format("{}: {}.count is {}; 0 or more is right", operation, name, batch.count));
    if (batch.count == 0 || batch.most_height == 0 || batch.most_width == 0) return;
    if (batch.places) return require_address(operation, name, batch.base, sizeof(T));
    if (batch.count != 1)
        throw UsageError(fmt::format("{}: {} has {} images and no places", operation, name, batch.count));
    require_view(operation, name,
                 ImageView<T>{batch.base, batch.only.height, batch.only.width, batch.channels, batch.only.pitch});
}

#define LANEWORK_VIEWS_OF(T)                                                             \
    template void require_view(std::string_view, std::string_view, const ImageView<T>&); \
    template void require_batch(std::string_view, std::string_view, const ImageBatch<T>&);
LANEWORK_VIEWS_OF(std::uint8_t)
LANEWORK_VIEWS_OF(const std::uint8_t)
LANEWORK_VIEWS_OF(std::int16_t)
LANEWORK_VIEWS_OF(float)
LANEWORK_VIEWS_OF(const float)
#undef LANEWORK_VIEWS_OF

}  // namespace lanework::image
