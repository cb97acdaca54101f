// How the images of a problem lie in its arrays: the axes height, width, channels and margin as views, written once
// for every operation on images. With a margin m an image is a region of a larger one: its view begins m samples after
// the array does, and m samples lie before and after each of its rows, so that rows begin at any address.
#pragma once

#include <lanework/image_view.hpp>
#include <lanework/operation.hpp>

namespace lanework {

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

}  // namespace lanework
