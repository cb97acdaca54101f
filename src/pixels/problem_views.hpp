// How the images of a problem lie in its arrays: the axes height, width, channels and margin as views, written once
// for every operation on images. With a margin m an image is a region of a larger one: its view begins m samples after
// the array does, and m samples lie before and after each of its rows, so that rows begin at any address.
#pragma once

#include <lanework/image_view.hpp>
#include <lanework/operation.hpp>

#include "src/core/fill.hpp"

namespace lanework {

/// The axes of operations on one image.
LANEWORK_AXES(ImageAxes, height, width, channels, margin);

/// The shape of an image in an array of a problem.
struct ImageShape {
    std::int64_t height = 0, width = 0, channels = 1, margin = 0;

    /// Samples of a row, and from a row to the next.
    constexpr std::int64_t row() const { return width * channels; }
    constexpr std::int64_t pitch() const { return row() + 2 * margin; }
    /// Samples of the image, and of the array that it lies in.
    constexpr std::uint64_t samples() const { return static_cast<std::uint64_t>(height * row()); }
    constexpr std::size_t array() const { return static_cast<std::size_t>(height * pitch()); }
};

/// The image of a problem with ImageAxes.
constexpr ImageShape image_shape(const Problem& p) {
    const auto [height, width, channels, margin] = p.lengths<ImageAxes>();
    return {height, width, channels, margin};
}

/// The array of one image. Between the rows of an output nothing may be written.
constexpr BufferSpec image_array(std::string_view name, Role role, DType dtype, const ImageShape& shape) {
    BufferSpec spec{name, role, dtype, shape.array()};
    if (shape.margin > 0)
        spec.rows = {static_cast<std::size_t>(shape.margin), static_cast<std::size_t>(shape.row()),
                     static_cast<std::size_t>(shape.pitch())};
    return spec;
}

/// The view of an image in an array that begins at `array`; T is const for an input.
template <class T>
constexpr ImageView<T> image_view(void* array, const ImageShape& shape) {
    return {static_cast<T*>(array) + shape.margin, shape.height, shape.width, static_cast<int>(shape.channels),
            shape.pitch() * static_cast<std::int64_t>(sizeof(T))};
}

/// Fills an array of 8-bit samples or floats.
inline void fill_samples(void* array, DType dtype, std::size_t count, std::uint64_t seed) {
    if (dtype == DType::uint8)
        fill_uniform(static_cast<std::uint8_t*>(array), count, seed);
    else
        fill_uniform(static_cast<float*>(array), count, seed);
}

/// A random height and width of at most some 40 000 pixels: single pixels, rows and columns among them.
constexpr std::array<std::int64_t, 2> draw_size(std::uint64_t kind, std::uint64_t first, std::uint64_t second) {
    const auto side = [](std::uint64_t bits, int most) { return 1 + static_cast<std::int64_t>(bits % most); };
    switch (kind % 8) {
        case 0: return {1, side(first, 3000)};
        case 1: return {side(first, 3000), 1};
        case 2: return {side(first, 4), side(second, 4)};
        case 3: return {side(first, 12), side(second, 3000)};
        default: return {side(first, 200), side(second, 200)};
    }
}

/// A random shape of an operation whose axes are height, width, channels (one of those that are given) and margin.
inline Extents draw_image(std::uint64_t seed, std::span<const int> channels) {
    constexpr std::int64_t kMargins[] = {0, 0, 0, 1, 2, 3, 5, 7, 8, 16, 29, 64};
    const auto [height, width] = draw_size(random_bits(seed, 0), random_bits(seed, 1), random_bits(seed, 2));
    return extents(height, width, channels[random_bits(seed, 3) % channels.size()],
                   kMargins[random_bits(seed, 4) % std::size(kMargins)]);
}

}  // namespace lanework
