// One image of a batch and one sample of it from its four neighbours: the definition that the reference computes and
// that rungs use where nothing faster fits.
#pragma once

#include "ops/resize/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// An input, its output, and how the axes of one map to the other's.
template <class T>
struct ResizePair {
    ImageView<const T> in;
    ImageView<T> out;
    AxisMap rows, columns;
    bool half;  ///< the convention's mean of four

    constexpr bool empty() const { return in.height == 0 || in.width == 0 || out.height == 0 || out.width == 0; }
};

template <Convention convention, class T>
constexpr ResizePair<T> pair_of(const ResizeArgs<T>& a, std::int64_t image) {
    ResizePair<T> pair{image_of(a.in, image), image_of(a.out, image), {}, {}, false};
    if (pair.empty()) return pair;
    pair.rows = AxisMap::of(pair.in.height, pair.out.height);
    pair.columns = AxisMap::of(pair.in.width, pair.out.width);
    pair.half =
        convention == Convention::opencv && is_half(pair.in.height, pair.in.width, pair.out.height, pair.out.width);
    return pair;
}

/// Two samples of each of two rows, weighed along the rows and then down.
template <class Arithmetic, class T>
constexpr T blend(const T* above, const T* below, std::int64_t left, std::int64_t right, const Tap& row,
                  const Tap& column) {
    const auto across = Arithmetic::weights(column);
    return Arithmetic::down(Arithmetic::along(above[left], above[right], across),
                            Arithmetic::along(below[left], below[right], across), Arithmetic::weights(row));
}

/// Sample `channel` of the pixel that the taps make.
template <Convention convention, class T>
constexpr T sample_at(const ResizePair<T>& pair, const Tap& row, const Tap& column, int channel) {
    const T *above = row_of(pair.in, row.first), *below = row_of(pair.in, row.second);
    const std::int64_t left = std::int64_t{column.first} * pair.in.channels + channel;
    const std::int64_t right = std::int64_t{column.second} * pair.in.channels + channel;
    return pair.half ? blend<HalfMean<T>>(above, below, left, right, row, column)
                     : blend<Bilinear<T, convention>>(above, below, left, right, row, column);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
