// How the images of a problem of letterbox and tensor lie in its arrays: images of one or of several sizes in one
// array, each in as many rows as the first has. Both operations have the axes height, width, out_height, out_width,
// channels, images, shrink and margin.
#pragma once

#include <algorithm>

#include "src/pixels/problem_views.hpp"

namespace lanework::fitting {

inline ImageShape source_shape(const Problem& p) {  // all images below each other, each in rows enough for the first
    return {p.extent[0] * p.extent[5], p.extent[1], p.extent[4], p.extent[7]};
}
inline ImageShape target_shape(const Problem& p, std::int64_t margin) {
    return {p.extent[2] * p.extent[5], p.extent[3], p.extent[4], margin};
}
/// The size of image k: `shrink` pixels less than the one before in both directions, as far as a pixel is left.
inline std::int64_t side(const Problem& p, int axis, std::int64_t k) {
    return std::min(p.extent[static_cast<std::size_t>(axis)],
                    std::max<std::int64_t>(1, p.extent[static_cast<std::size_t>(axis)] - k * p.extent[6]));
}
/// Where image k of sources lies; T is a sample.
template <class T>
ImagePlace source_place(const Problem& p, std::int64_t k) {
    const std::int64_t pitch = source_shape(p).pitch() * static_cast<std::int64_t>(sizeof(T));
    return {k * p.extent[0] * pitch, pitch, static_cast<std::int32_t>(side(p, 0, k)),
            static_cast<std::int32_t>(side(p, 1, k))};
}
template <class T>
ImagePlace target_place(const Problem& p, std::int64_t k) {
    const std::int64_t pitch = target_shape(p, p.extent[7]).pitch() * static_cast<std::int64_t>(sizeof(T));
    return {k * p.extent[2] * pitch, pitch, static_cast<std::int32_t>(p.extent[2]),
            static_cast<std::int32_t>(p.extent[3])};
}

/// Places are arrays of int64 words. A single image has none: its place is in the arguments.
inline std::size_t place_words(const Problem& p) {
    return p.extent[5] == 1 ? 0 : static_cast<std::size_t>(p.extent[5]) * (sizeof(ImagePlace) / sizeof(std::int64_t));
}

/// The batch in an array: `first` is the view of its first image.
template <class T>
ImageBatch<T> batch_of(const Problem& p, ImageView<T> first, const void* places) {
    if (p.extent[5] == 1) return first;
    return {first.pixels, static_cast<const ImagePlace*>(places), p.extent[5], first.channels, first.height,
            first.width};
}
template <class T>
ImageBatch<const T> sources(const Problem& p, void* array, const void* places) {
    return batch_of(p, image_view<const T>(array, {p.extent[0], p.extent[1], p.extent[4], p.extent[7]}), places);
}
template <class T>
ImageBatch<T> targets(const Problem& p, void* array, const void* places) {
    return batch_of(p, image_view<T>(array, {p.extent[2], p.extent[3], p.extent[4], p.extent[7]}), places);
}

}  // namespace lanework::fitting
