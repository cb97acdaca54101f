// What letterbox and tensor compute for each output pixel, on every device: where it lies in the source, which four
// source pixels it mixes and with which weights. The arithmetic is sampling.hpp's.
#pragma once

#include <type_traits>

#include "src/pixels/bilinear.hpp"
#include "src/pixels/fit.hpp"
#include "src/pixels/rows.hpp"
#include "src/pixels/run_time_choice.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// The arithmetic: OpenCV's of 8-bit samples, or of floats. 8-bit samples in the other conventions become floats, and
/// their mixture is not rounded here.
template <class T, Convention convention>
using Arithmetic =
    std::conditional_t<std::is_same_v<T, std::uint8_t> && convention == Convention::opencv,
                       Bilinear<std::uint8_t, Convention::opencv>, Bilinear<float, Convention::floating>>;

/// The type of weights, of sums of weighted samples and of their mixture: int32 in the former, float in the latter.
template <class T, Convention convention>
using Mixed = typename Arithmetic<T, convention>::Sum;
template <class W>
using ArithmeticOf = std::conditional_t<std::is_same_v<W, std::int32_t>, Bilinear<std::uint8_t, Convention::opencv>,
                                        Bilinear<float, Convention::floating>>;

/// Two neighbouring rows or columns of the source, and their weights. Where there is none, `first` is negative. Loaded
/// and stored as one vector of sixteen bytes.
template <class W>
struct alignas(16) Neighbours {
    std::int32_t first, second;
    W first_weight, second_weight;

    static constexpr Neighbours of(const Tap& tap) {
        const auto weights = ArithmeticOf<W>::weights(tap);
        return {tap.first, tap.second, weights.first, weights.second};
    }
};

/// Two samples of a row, weighted; bytes may have been widened.
template <class W, class T>
constexpr W across(const Neighbours<W>& columns, T first, T second) {
    return ArithmeticOf<W>::along(first, second, {columns.first_weight, columns.second_weight});
}

/// Two such rows, weighted.
template <class W>
constexpr W down(const Neighbours<W>& rows, W above, W below) {
    return ArithmeticOf<W>::down(above, below, {rows.first_weight, rows.second_weight});
}

/// The mixture as a sample of an image.
template <class T, class W>
constexpr T as_sample(W mixed) {
    if constexpr (std::is_same_v<T, float>)
        return mixed;
    else if constexpr (std::is_same_v<W, std::int32_t>)
        return static_cast<T>(mixed);
    else
        return to_sample(mixed);
}

/// An image and where it comes to lie in an output.
template <class T, Convention convention>
struct FittedSource {
    using W = Mixed<T, convention>;

    ImageView<const T> image;
    FittedImage place;
    AxisMap vertical, horizontal;

    static constexpr FittedSource of(const ImageView<const T>& image, std::int64_t out_height, std::int64_t out_width,
                                     const LetterboxOptions& options) {
        const FittedImage place =
            fitted(image.height, image.width, out_height, out_width, options.fit, options.scale_up);
        if (place.height == 0) return {image, place, {}, {}};
        return {image, place, AxisMap::of(image.height, place.height), AxisMap::of(image.width, place.width)};
    }
    /// The source rows of output row `y`, the source columns of output column `x`; none in the padding.
    constexpr Neighbours<W> rows(std::int64_t y) const {
        if (y < place.top || y >= place.top + place.height) return {-1, -1, W{}, W{}};
        return Neighbours<W>::of(row_tap<convention>(vertical, y - place.top));
    }
    constexpr Neighbours<W> columns(std::int64_t x) const {
        if (x < place.left || x >= place.left + place.width) return {-1, -1, W{}, W{}};
        return Neighbours<W>::of(column_tap<convention>(horizontal, x - place.left));
    }
    /// Channel `c` of the pixel between these rows and columns.
    constexpr W mixed(const Neighbours<W>& rows, const Neighbours<W>& columns, int c) const {
        const auto in_row = [&](std::int32_t y) {
            const T* const row = row_of(image, y);
            return across(columns, row[std::int64_t{columns.first} * image.channels + c],
                          row[std::int64_t{columns.second} * image.channels + c]);
        };
        return down(rows, in_row(rows.first), in_row(rows.second));
    }
    constexpr Affine to_source() const { return source_transform(place, image.height, image.width); }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
