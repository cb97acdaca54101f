// Rows and images of views and batches, on every device.
#pragma once

#include <lanework/image_view.hpp>
#include <lanework/on_device.hpp>
#include <type_traits>

namespace lanework::inline LANEWORK_ON_DEVICE {

/// The address `bytes` after another.
template <class T>
constexpr T* bytes_after(T* address, std::int64_t bytes) {
    using Byte = std::conditional_t<std::is_const_v<T>, const unsigned char, unsigned char>;
    return reinterpret_cast<T*>(reinterpret_cast<Byte*>(address) + bytes);
}

template <class T>
constexpr T* row_of(const ImageView<T>& image, std::int64_t y) {
    return bytes_after(image.pixels, y * image.pitch);
}

/// Image `index` of a batch.
template <class T>
constexpr ImageView<T> image_of(const ImageBatch<T>& batch, std::int64_t index) {
    const ImagePlace place = batch.places ? batch.places[index] : batch.only;
    return {bytes_after(batch.base, place.offset), place.height, place.width, batch.channels, place.pitch};
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
