// How the images of a problem of letterbox and tensor lie in its arrays: images of one or of several sizes in one
// array, each in as many rows as the first has.
#pragma once

#include <algorithm>

#include "src/pixels/problem_views.hpp"

namespace lanework::fitting {

/// The axes of operations that give images another size: resize, letterbox and tensor.
LANEWORK_AXES(Axes, height, width, out_height, out_width, channels, images, shrink, margin);

inline ImageShape source_shape(const Problem& p) {  // all images below each other, each in rows enough for the first
    const auto of = p.lengths<Axes>();
    return {of.height * of.images, of.width, of.channels, of.margin};
}
inline ImageShape target_shape(const Problem& p, std::int64_t margin) {
    const auto of = p.lengths<Axes>();
    return {of.out_height * of.images, of.out_width, of.channels, margin};
}
/// A side of image k: `shrink` pixels less than the one before it, as far as a pixel is left.
inline std::int64_t side(std::int64_t first, std::int64_t shrink, std::int64_t k) {
    return std::min(first, std::max<std::int64_t>(1, first - k * shrink));
}
/// Where image k of sources lies; T is a sample.
template <class T>
ImagePlace source_place(const Problem& p, std::int64_t k) {
    const std::int64_t pitch = source_shape(p).pitch() * static_cast<std::int64_t>(sizeof(T));
    const auto of = p.lengths<Axes>();
    return {k * of.height * pitch, pitch, static_cast<std::int32_t>(side(of.height, of.shrink, k)),
            static_cast<std::int32_t>(side(of.width, of.shrink, k))};
}
template <class T>
ImagePlace target_place(const Problem& p, std::int64_t k) {
    const auto of = p.lengths<Axes>();
    const std::int64_t pitch = target_shape(p, of.margin).pitch() * static_cast<std::int64_t>(sizeof(T));
    return {k * of.out_height * pitch, pitch, static_cast<std::int32_t>(of.out_height),
            static_cast<std::int32_t>(of.out_width)};
}

/// Places are arrays of int64 words. A single image has none: its place is in the arguments.
inline std::size_t place_words(const Problem& p) {
    const std::int64_t images = p.lengths<Axes>().images;
    return images == 1 ? 0 : static_cast<std::size_t>(images) * (sizeof(ImagePlace) / sizeof(std::int64_t));
}

/// The batch in an array: `first` is the view of its first image.
template <class T>
ImageBatch<T> batch_of(const Problem& p, ImageView<T> first, const void* places) {
    const std::int64_t images = p.lengths<Axes>().images;
    if (images == 1) return first;
    return {first.pixels, static_cast<const ImagePlace*>(places), images, first.channels, first.height, first.width};
}
template <class T>
ImageBatch<const T> sources(const Problem& p, void* array, const void* places) {
    const auto of = p.lengths<Axes>();
    return batch_of(p, image_view<const T>(array, {of.height, of.width, of.channels, of.margin}), places);
}
template <class T>
ImageBatch<T> targets(const Problem& p, void* array, const void* places) {
    const auto of = p.lengths<Axes>();
    return batch_of(p, image_view<T>(array, {of.out_height, of.out_width, of.channels, of.margin}), places);
}

}  // namespace lanework::fitting
