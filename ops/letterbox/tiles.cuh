// What the rungs that work in tiles share: padding as samples, and pixels rounded to samples.
#pragma once

#include "ops/letterbox/operation.hpp"
#include "src/pixels/fitted_tile.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

template <class T, int channels>
struct Pixel {
    T sample[channels];
};

template <class T>
struct Padding {
    T sample[4];

    static Padding of(const LetterboxOptions& options) {
        Padding padding{};
        for (std::size_t c = 0; c < 4; ++c) padding.sample[c] = static_cast<T>(options.pad[c]);
        return padding;
    }
    template <int channels, class W>
    __device__ Pixel<T, channels> rounded(const MixedPixel<W, channels>& pixel) const {
        Pixel<T, channels> result;
#pragma unroll
        for (int c = 0; c < channels; ++c) result.sample[c] = pixel.padding ? sample[c] : as_sample<T>(pixel.mixed[c]);
        return result;
    }
};

/// Calls store(row, column, width, pixel) for the rows of all tiles of a block, in all threads of a warp together;
/// those with a column beyond the width store nothing.
template <Convention convention, int channels, int strip, class T, class Store>
__device__ void write_tiles(const LetterboxArgs<T>& a, const Padding<T>& padding, Store store) {
    const std::int64_t height = a.out.most_height, width = a.out.most_width;
    visit_tiles<T, convention, strip>(
        a.in, height, width, a.options, a.to_source,
        [&](const FittedTile<T, convention, strip>& tile, std::int64_t k, std::int64_t first_row) {
            const ImageView<T> out = image_of(a.out, k);
            walk_tile<channels>(tile, first_row, height, width,
                                [&](std::int64_t y, std::int64_t x, bool, const auto& pixel) {
                                    store(row_of(out, y), x, width, padding.rounded(pixel));
                                });
        });
}

/// Sample by sample.
template <class T, int channels>
__device__ void store_samples(T* row, std::int64_t x, std::int64_t width, const Pixel<T, channels>& pixel) {
    if (x >= width) return;
#pragma unroll
    for (int c = 0; c < channels; ++c) row[x * channels + c] = pixel.sample[c];
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
