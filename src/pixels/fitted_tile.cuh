// A block's part of a fitted image: a strip of columns over some rows. Each thread keeps the taps of its column for all
// of them, and the block keeps those of its rows: a tap is computed once, not once for each pixel.
#pragma once

#include "src/pixels/fitted_source.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kTileColumns = 128;  // a thread each
/// Rows of a strip. Tall ones share what a block works out at its beginning among more pixels. Short ones are more
/// blocks, whose threads wait less often: they load two pixels at a time. Strips are short while there are no more of
/// them than a device of a hundred processors computes in about two rounds (an image of 640 × 640 is one of 640
/// blocks); more images keep it busy while they wait.
inline constexpr int kTallStrip = 16, kShortStrip = 5;
inline constexpr std::int64_t kFewBlocks = 2048;

/// What the threads of a block share.
template <class T, Convention convention, int strip>
struct FittedTile {
    FittedSource<T, convention> source;
    Neighbours<Mixed<T, convention>> rows[strip];
};

/// A sample in a register, where bytes are as wide as what is computed with them.
template <class T>
using LoadedSample = std::conditional_t<std::is_same_v<T, std::uint8_t>, std::int32_t, T>;

/// The samples of two pixels of a row.
template <class T, int channels>
struct PixelPair {
    LoadedSample<T> first[channels], second[channels];
};

/// Lets loads through a pointer that lies in shared memory itself be loads of global memory.
__device__ inline void assume_global(const void* pointer) {
#ifdef __CUDA_ARCH__
    __builtin_assume(__isGlobal(pointer));
#else
    static_cast<void>(pointer);
#endif
}

template <int channels, class T>
__device__ PixelPair<T, channels> load_pair(const T* row, std::int32_t first, std::int32_t second) {
    PixelPair<T, channels> pair;
    assume_global(row);
    const T* const left = row + std::int64_t{first} * channels;
    const T* const right = row + std::int64_t{second} * channels;
#pragma unroll
    for (int c = 0; c < channels; ++c) {
        pair.first[c] = left[c];
        pair.second[c] = right[c];
    }
    return pair;
}

/// What one pixel of an output is mixed from.
template <class T, int channels>
struct LoadedPixel {
    bool padding;  ///< then it is nothing
    PixelPair<T, channels> above, below;
};

/// The pixels between these rows and columns. 8-bit rows without weight are not read: they would add nothing, where
/// floats would add an infinity times 0.
template <int channels, class T, class W>
__device__ LoadedPixel<T, channels> load(const ImageView<const T>& image, const Neighbours<W>& rows,
                                         const Neighbours<W>& columns) {
    LoadedPixel<T, channels> pixel{rows.first < 0 || columns.first < 0, {}, {}};
    if (pixel.padding) return pixel;
    const bool both = !std::is_same_v<T, std::uint8_t> || rows.second_weight != 0;
    pixel.above = load_pair<channels>(row_of(image, rows.first), columns.first, columns.second);
    if (both) pixel.below = load_pair<channels>(row_of(image, rows.second), columns.first, columns.second);
    return pixel;
}

/// One pixel of an output, before it is rounded to samples or normalised.
template <class W, int channels>
struct MixedPixel {
    bool padding;  ///< then there is nothing in `mixed`
    W mixed[channels];
};

template <int channels, class T, class W>
__device__ MixedPixel<W, channels> mix(const LoadedPixel<T, channels>& loaded, const Neighbours<W>& rows,
                                       const Neighbours<W>& columns) {
    MixedPixel<W, channels> pixel{loaded.padding, {}};
    if (pixel.padding) return pixel;
#pragma unroll
    for (int c = 0; c < channels; ++c)
        pixel.mixed[c] = down(rows, across(columns, loaded.above.first[c], loaded.above.second[c]),
                              across(columns, loaded.below.first[c], loaded.below.second[c]));
    return pixel;
}

/// Both at once: what is loaded need not be kept, and where the row below has no weight nothing is computed of it.
template <int channels, class T, class W>
__device__ MixedPixel<W, channels> load_and_mix(const ImageView<const T>& image, const Neighbours<W>& rows,
                                                const Neighbours<W>& columns) {
    MixedPixel<W, channels> pixel{rows.first < 0 || columns.first < 0, {}};
    if (pixel.padding) return pixel;
    const auto above = load_pair<channels>(row_of(image, rows.first), columns.first, columns.second);
    if (std::is_same_v<T, std::uint8_t> && rows.second_weight == 0) {  // for all threads of a block
        const Neighbours<W> alone{rows.first, rows.first, rows.first_weight, W{}};
#pragma unroll
        for (int c = 0; c < channels; ++c)
            pixel.mixed[c] = down(alone, across(columns, above.first[c], above.second[c]), W{});
        return pixel;
    }
    const auto below = load_pair<channels>(row_of(image, rows.second), columns.first, columns.second);
#pragma unroll
    for (int c = 0; c < channels; ++c)
        pixel.mixed[c] = down(rows, across(columns, above.first[c], above.second[c]),
                              across(columns, below.first[c], below.second[c]));
    return pixel;
}

/// Calls visit(tile, image, row) for every strip of rows that falls to this block, with all its threads; writes the
/// transforms.
template <class T, Convention convention, int strip, class Visit>
__device__ void visit_tiles(const ImageBatch<const T>& in, std::int64_t out_height, std::int64_t out_width,
                            const LetterboxOptions& options, Affine* to_source, Visit visit) {
    using Tile = FittedTile<T, convention, strip>;
    __shared__ alignas(16) unsigned char memory[sizeof(Tile)];
    Tile& tile = *reinterpret_cast<Tile*>(memory);
    for (std::int64_t k = blockIdx.z; k < in.count; k += gridDim.z)
        for (std::int64_t row = std::int64_t{blockIdx.y} * strip; row < out_height;
             row += std::int64_t{gridDim.y} * strip) {
            __syncthreads();  // all have left the strip before
            if (threadIdx.x == 0) {
                tile.source = FittedSource<T, convention>::of(image_of(in, k), out_height, out_width, options);
                if (to_source && blockIdx.x == 0 && row == 0) store_transform(to_source[k], tile.source.to_source());
            }
            __syncthreads();
            if (threadIdx.x < strip) tile.rows[threadIdx.x] = tile.source.rows(row + threadIdx.x);
            __syncthreads();
            visit(tile, k, row);
        }
}

/// The column of a tile's that falls to this thread.
__device__ inline std::int64_t column_of_thread() { return std::int64_t{blockIdx.x} * kTileColumns + threadIdx.x; }

/// Calls store(row, column, inside, pixel) for the rows of a tile in turn, in all threads of a warp together; `inside`
/// is false for the threads beyond the output's last column, whose pixel is padding.
template <int channels, class T, Convention convention, int strip, class Store>
__device__ void walk_tile(const FittedTile<T, convention, strip>& tile, std::int64_t first_row, std::int64_t out_height,
                          std::int64_t out_width, Store store) {
    const std::int64_t x = column_of_thread();
    const ImageView<const T> image = tile.source.image;
    const auto columns = tile.source.columns(x);
    const auto rows_here = static_cast<int>(out_height - first_row < strip ? out_height - first_row : strip);
    if constexpr (strip != kShortStrip) {
        for (int k = 0; k < rows_here; ++k)
            store(first_row + k, x, x < out_width, load_and_mix<channels>(image, tile.rows[k], columns));
        return;
    }
    constexpr int kAtOnce = 2;
    for (int first = 0; first < rows_here; first += kAtOnce) {
        LoadedPixel<T, channels> loaded[kAtOnce];
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k)
            if (first + k < rows_here) loaded[k] = load<channels>(image, tile.rows[first + k], columns);
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k)
            if (first + k < rows_here)
                store(first_row + first + k, x, x < out_width, mix(loaded[k], tile.rows[first + k], columns));
    }
}

/// Calls body.operator()<strip>(grid) with the height of strips that suits `count` images of this size, and their grid.
template <class Body>
void with_strips(std::int64_t out_height, std::int64_t out_width, std::int64_t count, const Body& body) {
    constexpr std::int64_t kMostBlocks = 65535;
    const auto at_most = [](std::int64_t blocks) {
        return static_cast<unsigned>(blocks < kMostBlocks ? blocks : kMostBlocks);
    };
    const std::int64_t columns = ceil_div(out_width, kTileColumns), rows = ceil_div(out_height, kShortStrip);
    const auto grid = [&](std::int64_t strips) {
        return dim3(static_cast<unsigned>(columns), at_most(strips), at_most(count));
    };
    if (count <= kFewBlocks && rows <= kFewBlocks && columns * rows * count <= kFewBlocks)
        body.template operator()<kShortStrip>(grid(rows));
    else
        body.template operator()<kTallStrip>(grid(ceil_div(out_height, kTallStrip)));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
