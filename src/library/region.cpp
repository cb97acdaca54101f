// A part of an image, checked.
#include "src/pixels/checks.hpp"

namespace lanework {

template <class T>
ImageView<T> region(const ImageView<T>& image, std::int64_t top, std::int64_t left, std::int64_t height,
                    std::int64_t width) {
    image::require_view("region", "image", image);
    const auto is_inside = [](std::int64_t begin, std::int64_t length, std::int64_t all) {
        return begin >= 0 && length >= 0 && length <= all && begin <= all - length;
    };
    if (!is_inside(top, height, image.height) || !is_inside(left, width, image.width))
        throw UsageError(fmt::format("region: rows {}+{} and columns {}+{} are not inside {}×{} pixels", top, height,
                                     left, width, image.height, image.width));
    // No address is computed in an image without pixels: its pitch says nothing, and it may have none.
    if (image.height == 0 || image.width == 0) return {image.pixels, height, width, image.channels, image.pitch};
    using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
    auto* const row = reinterpret_cast<T*>(reinterpret_cast<Byte*>(image.pixels) + top * image.pitch);
    return {row + left * image.channels, height, width, image.channels, image.pitch};
}

template ImageView<std::uint8_t> region(const ImageView<std::uint8_t>&, std::int64_t, std::int64_t, std::int64_t,
                                        std::int64_t);
template ImageView<const std::uint8_t> region(const ImageView<const std::uint8_t>&, std::int64_t, std::int64_t,
                                              std::int64_t, std::int64_t);
template ImageView<float> region(const ImageView<float>&, std::int64_t, std::int64_t, std::int64_t, std::int64_t);
template ImageView<const float> region(const ImageView<const float>&, std::int64_t, std::int64_t, std::int64_t,
                                       std::int64_t);

}  // namespace lanework
