// What a thread needs of a row to compute a strip of samples from 3×3 windows: the strip and four samples on either
// side, continued by reflection, as words in registers; and the walk down the rows that keeps three of them.
#pragma once

#include "src/image/reflect.hpp"
#include "src/image/words.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Samples on either side of a strip: at least as many as a pixel has.
inline constexpr int kSide = 4;

/// `samples` samples of type T and kSide on either side, the first of which is sample −kSide.
template <class T, int samples>
struct Window {
    static constexpr int kPerWord = kWordBytes / static_cast<int>(sizeof(T));
    static constexpr int kSideWords = kSide / kPerWord;
    static constexpr int kOwnWords = samples / kPerWord;
    static constexpr int kCount = kOwnWords + 2 * kSideWords;
    std::uint32_t word[kCount];

    /// The bits of sample `index`; −kSide ≤ index < samples + kSide.
    __device__ std::uint32_t bits(int index) const {
        const int at = index + kSide;
        if constexpr (kPerWord == 1) return word[at];
        return word[at / kPerWord] >> (8 * static_cast<int>(sizeof(T)) * (at % kPerWord)) & 255;
    }
    __device__ void set_bits(int index, std::uint32_t bits) {
        const int at = index + kSide, shift = 8 * (at % kPerWord);
        if constexpr (kPerWord == 1)
            word[at] = bits;
        else
            word[at / kPerWord] = (word[at / kPerWord] & ~(255u << shift)) | bits << shift;
    }
    /// Where the place is known only when the program runs, so that no word is indexed by it.
    __device__ void set_bits_somewhere(std::int64_t index, std::uint32_t bits) {
        for (int i = 0; i < samples + kSide; ++i)
            if (i == index) set_bits(i, bits);
    }
};

__device__ inline std::uint32_t bits_of(std::uint8_t sample) { return sample; }
__device__ inline std::uint32_t bits_of(float sample) { return __float_as_uint(sample); }

/// A strip that ends with its row or is followed by kSide samples, in a row that begins at a multiple of 16 bytes.
template <class T, int samples, int channels>
__device__ inline Window<T, samples> load_aligned_window(const T* row, std::int64_t x, std::int64_t length) {
    using W = Window<T, samples>;
    W window;
    const bool is_first = x == 0, is_last = x + samples == length;
    // At the row's ends any other samples stand in for those that are not there, until they are replaced.
    copy_words<W::kSideWords>(window.word, is_first ? row : row + x - kSide);
    copy_words<W::kOwnWords>(window.word + W::kSideWords, row + x);
    copy_words<W::kSideWords>(window.word + W::kSideWords + W::kOwnWords, is_last ? row : row + x + samples);
    if (is_first)
        for (int i = 0; i < channels; ++i) window.set_bits(i - channels, window.bits(i + channels));
    if (is_last)
        for (int i = 0; i < channels; ++i) window.set_bits(samples + i, window.bits(samples - 2 * channels + i));
    return window;
}

/// Any strip of any row.
template <class T, int samples, int channels>
__device__ inline Window<T, samples> load_any_window(const T* row, std::int64_t x, std::int64_t width) {
    using W = Window<T, samples>;
    const std::int64_t length = width * channels;
    const auto* begin = reinterpret_cast<const std::uint8_t*>(row);
    const RowBytes bytes{begin, begin + length * static_cast<std::int64_t>(sizeof(T))};
    const auto words = load_words<W::kCount>(bytes, begin + (x - kSide) * static_cast<std::int64_t>(sizeof(T)));
    W window;
    for (int i = 0; i < W::kCount; ++i) window.word[i] = words.word[i];
    if (x == 0)
        for (int i = 0; i < channels; ++i)
            window.set_bits(i - channels, bits_of(row[reflect<std::int64_t>(-1, width) * channels + i]));
    if (x + samples + channels > length)
        for (int i = 0; i < channels; ++i)
            window.set_bits_somewhere(length - x + i, bits_of(row[reflect(width, width) * channels + i]));
    return window;
}

/// The strip of row y, where it is in the image.
template <bool aligned, class Filter, class Out>
__device__ inline void store_strip(const Filter& filter, const typename Filter::Row (&around)[3],
                                   const ImageView<Out>& out, std::int64_t y, std::int64_t x) {
    if (y >= out.height) return;
    const auto words = filter.result(around[0], around[1], around[2]);
    Out* const to = row_of(out, y) + x;
    const std::int64_t left = (out.width * out.channels - x) * static_cast<std::int64_t>(sizeof(Out));
    if constexpr (aligned)
        store_vectors(to, words, left);
    else
        store_words(to, words, left);
}

/// One thread's strips in rows first … first + rows − 1; `load` gives the window of a row. All loads are under way
/// before the first is used: a store might otherwise hold back those after it.
template <int rows, class Filter, class Load, class Out>
__device__ inline void filter_strips(const Filter& filter, const Load& load, std::int64_t first, std::int64_t x,
                                     const ImageView<Out>& out) {
    decltype(load(first)) windows[rows + 2];
#pragma unroll
    for (int i = 0; i < rows + 2; ++i) windows[i] = load(first - 1 + i);
    typename Filter::Row around[3] = {filter.row(windows[0]), filter.row(windows[1]), filter.row(windows[2])};
#pragma unroll
    for (int i = 0; i < rows; ++i) {
        store_strip<true>(filter, around, out, first + i, x);
        around[0] = around[1];
        around[1] = around[2];
        if (i + 1 < rows) around[2] = filter.row(windows[i + 3]);
    }
}

/// The same with one row after the other, for strips that need more registers each.
template <int rows, class Filter, class Load, class Out>
__device__ inline void filter_strips_in_turn(const Filter& filter, const Load& load, std::int64_t first, std::int64_t x,
                                             const ImageView<Out>& out) {
    typename Filter::Row around[3] = {filter.row(load(first - 1)), filter.row(load(first)), {}};
#pragma unroll 1
    for (int i = 0; i < rows; ++i) {
        around[2] = filter.row(load(first + i + 1));
        store_strip<false>(filter, around, out, first + i, x);
        around[0] = around[1];
        around[1] = around[2];
    }
}

/// Computes strips of `samples` samples, each in `rows` rows; `aligned` where every row of both images begins at a
/// multiple of 16 bytes. A Filter has row(window), what a row contributes to its neighbours and to itself, and
/// result(above, here, below), the words of three of them.
template <int channels, int samples, int rows, bool aligned, class T, class Out, class Filter>
__device__ inline void filter_rows(const ImageView<const T>& in, const ImageView<Out>& out, const Filter& filter) {
    const std::int64_t x = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) * samples;
    const std::int64_t length = in.width * channels;
    if (x >= length) return;
    const auto row = [&](std::int64_t y) { return row_of(in, reflect(y < in.height ? y : in.height, in.height)); };
    [[maybe_unused]] const bool whole =
        length >= samples + kSide && (x + samples == length || x + samples + kSide <= length);
    const std::int64_t step = std::int64_t{gridDim.y} * blockDim.y * rows;
    for (std::int64_t first = (std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y) * rows; first < in.height;
         first += step) {
        if constexpr (aligned)
            if (whole) {
                filter_strips<rows>(
                    filter,
                    [&](std::int64_t y) { return load_aligned_window<T, samples, channels>(row(y), x, length); }, first,
                    x, out);
                continue;
            }
        filter_strips_in_turn<rows>(
            filter, [&](std::int64_t y) { return load_any_window<T, samples, channels>(row(y), x, in.width); }, first,
            x, out);
    }
}

/// Calls body.operator()<channels>() for the 1, 3 or 4 channels that are known only when the program runs.
template <class Body>
void with_channels(int channels, const Body& body) {
    if (channels == 1)
        body.template operator()<1>();
    else if (channels == 3)
        body.template operator()<3>();
    else
        body.template operator()<4>();
}

/// The block that leaves the fewest threads beyond a row's end, and the grid of it over strips × steps of rows.
struct StripLaunch {
    dim3 block, grid;

    static StripLaunch over(std::int64_t strips, std::int64_t steps) {
        constexpr int kThreads = 128;
        const bool narrow = strips % 32 > 0 && strips % 32 <= 16;
        const dim3 block = narrow ? dim3(16, kThreads / 16) : dim3(32, kThreads / 32);
        return {block, grid_over(strips, steps, block)};
    }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
