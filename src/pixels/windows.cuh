// What a thread needs of a row to compute a strip of samples from 3×3 windows: the strip and four samples on either
// side, continued by reflection, as words in registers; and the walk down the rows that keeps three of them.
#pragma once

#include "src/pixels/reflect.hpp"
#include "src/pixels/run_time_choice.hpp"
#include "src/pixels/words.cuh"

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

/// Where a thread's strip lies: in rows first, first + 1, … from sample x on, `count` of which are in the image (but no
/// more than `rows` + 1 are counted).
template <int rows>
struct StripPlace {
    std::int64_t first, x;
    int count;
    int above, beyond;  ///< rows from `first` to the one that lies above it, and below the image's last: by reflection

    template <class T>
    __device__ static StripPlace of(const ImageView<T>& in, std::int64_t first, std::int64_t x) {
        const std::int64_t left = in.height - first;
        const int count = static_cast<int>(left < rows + 1 ? left : rows + 1);
        return {first, x, count, first > 0 ? -1 : in.height > 1 ? 1 : 0, in.height > 1 ? count - 2 : 0};
    }
    /// Rows from `first` to where row first + i is found; −1 ≤ i ≤ rows.
    __device__ int row(int i) const { return i < 0 ? above : i < count ? i : beyond; }
};

/// The windows of a strip that ends with its row or is followed by kSide samples, of rows −1 … rows around it, where
/// rows begin at multiples of 16 bytes and 31 bits count their samples and bytes. The loads are all made before any of
/// them is used.
template <int samples, int channels, int rows, class T>
__device__ inline void load_windows(Window<T, samples> (&windows)[rows + 2], const ImageView<const T>& in,
                                    const StripPlace<rows>& place) {
    using W = Window<T, samples>;
    const bool is_first = place.x == 0;
    const bool is_last = static_cast<int>(place.x) + samples == static_cast<int>(in.width) * channels;
    const T* const strip = row_of(in, place.first) + place.x;
    // One instruction an address: until the loads are under way memory has nothing to do.
    const std::int64_t pitch = static_cast<int>(in.pitch);
#pragma unroll
    for (int i = 0; i < rows + 2; ++i) {
        const T* const from = bytes_after(strip, place.row(i - 1) * pitch);
        std::uint32_t* const word = windows[i].word;
        copy_words_if<W::kSideWords>(!is_first, word, from - kSide);
        copy_words<W::kOwnWords>(word + W::kSideWords, from);
        copy_words_if<W::kSideWords>(!is_last, word + W::kSideWords + W::kOwnWords, from + samples);
    }
    // The row's ends are few: one branch for all windows.
    if (is_first)
        for (W& window : windows)
            for (int i = 0; i < channels; ++i) window.set_bits(i - channels, window.bits(i + channels));
    if (is_last)
        for (W& window : windows)
            for (int i = 0; i < channels; ++i) window.set_bits(samples + i, window.bits(samples - 2 * channels + i));
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

/// One thread's strips in `rows` rows. All loads are under way before the first is used: a store might otherwise hold
/// back those after it.
template <int samples, int channels, int rows, class T, class Out, class Filter>
__device__ inline void filter_whole_strips(const Filter& filter, const ImageView<const T>& in,
                                           const ImageView<Out>& out, const StripPlace<rows>& place) {
    Window<T, samples> windows[rows + 2];
    load_windows<samples, channels, rows>(windows, in, place);
    typename Filter::Row around[3] = {filter.row(windows[0]), filter.row(windows[1]), filter.row(windows[2])};
    Out* const to = row_of(out, place.first) + place.x;
#pragma unroll
    for (int i = 0; i < rows; ++i) {
        const auto words = filter.result(around[0], around[1], around[2]);
        if (i < place.count) copy_words(bytes_after(to, i * out.pitch), words);
        around[0] = around[1];
        around[1] = around[2];
        if (i + 1 < rows) around[2] = filter.row(windows[i + 3]);
    }
}

/// Strips of any length at any address, one row after the other: they need more registers each.
template <int rows, class Filter, class Load, class Out>
__device__ inline void filter_any_strips(const Filter& filter, const Load& load, std::int64_t first, std::int64_t x,
                                         const ImageView<Out>& out) {
    typename Filter::Row around[3] = {filter.row(load(first - 1)), filter.row(load(first)), {}};
#pragma unroll 1
    for (int i = 0; i < rows; ++i) {
        around[2] = filter.row(load(first + i + 1));
        if (const std::int64_t y = first + i; y < out.height)
            store_words(row_of(out, y) + x, filter.result(around[0], around[1], around[2]),
                        (out.width * out.channels - x) * static_cast<std::int64_t>(sizeof(Out)));
        around[0] = around[1];
        around[1] = around[2];
    }
}

/// The row from which on a thread of `all_over` works, each of which takes `rows` rows. Blocks along z go on where
/// those along y are too many.
template <int rows, class Index>
__device__ inline Index first_row_of_thread() {
    return ((Index{blockIdx.z} * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y) * rows;
}

/// Computes whole strips, which `load_windows` can load, of `samples` samples, each in `rows` rows, and no others. A
/// Filter has row(window), what a row contributes to its neighbours and to itself, and result(above, here, below), the
/// words of three of them. Nothing else is in this kernel: what strips of any kind need costs it registers.
template <int channels, int samples, int rows, class T, class Out, class Filter>
__device__ inline void filter_whole(const ImageView<const T>& in, const ImageView<Out>& out, unsigned strips,
                                    const Filter& filter) {
    const unsigned strip = blockIdx.x * blockDim.x + threadIdx.x, first = first_row_of_thread<rows, unsigned>();
    const auto height = static_cast<unsigned>(in.height);
    if (strip >= strips || first >= height) return;
    filter_whole_strips<samples, channels>(filter, in, out,
                                           StripPlace<rows>::of(in, first, std::int64_t{strip} * samples));
}

/// Computes the strips of each row from strip `begin` on, wherever rows begin and however long they are.
template <int channels, int samples, int rows, class T, class Out, class Filter>
__device__ inline void filter_any(const ImageView<const T>& in, const ImageView<Out>& out, std::int64_t begin,
                                  const Filter& filter) {
    const std::int64_t x = (begin + std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) * samples;
    if (x >= in.width * channels) return;
    const auto row = [&](std::int64_t y) { return row_of(in, reflect(y < in.height ? y : in.height, in.height)); };
    const std::int64_t step = std::int64_t{gridDim.y} * blockDim.y * rows;
    for (std::int64_t first = (std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y) * rows; first < in.height;
         first += step)
        filter_any_strips<rows>(
            filter, [&](std::int64_t y) { return load_any_window<T, samples, channels>(row(y), x, in.width); }, first,
            x, out);
}

/// A block and the grid of it over strips × steps of rows. The block is a warp wide, or half of one where that leaves
/// fewer threads beyond the row's end; less for few strips.
struct StripLaunch {
    dim3 block, grid;

    static StripLaunch over(std::int64_t strips, std::int64_t steps) {
        constexpr std::int64_t kThreads = 128, kLanes = 32;
        std::int64_t lanes = kLanes;
        while ((lanes == kLanes || strips < lanes) && (strips - 1) % lanes < lanes / 2) lanes /= 2;
        const dim3 block(static_cast<unsigned>(lanes), static_cast<unsigned>(kThreads / lanes));
        return {block, grid_over(strips, steps, block)};
    }
    /// The same with the blocks that CUDA does not allow downwards along z, for kernels that do not step on.
    static StripLaunch all_over(std::int64_t strips, std::int64_t steps) {
        StripLaunch launch = over(strips, steps);
        launch.grid.z = static_cast<unsigned>(ceil_div(steps, std::int64_t{launch.block.y} * launch.grid.y));
        return launch;
    }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
