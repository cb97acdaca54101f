// Strips of 3×3 windows in rows that begin anywhere. A strip lies where its result is an aligned 16-byte store; what it
// needs of a row is loaded as aligned vectors and moved into place in registers. At a row's ends, where a vector would
// reach beyond it, sample by sample: no byte beyond a row is ever touched.
#pragma once

#include "src/pixels/windows.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// What a strip needs of a row, wherever it begins: loaded first, and moved into place when all rows are under way.
template <class T, int samples>
struct ShiftedWindow {
    using W = Window<T, samples>;
    static constexpr int kSize = static_cast<int>(sizeof(T)), kBytes = W::kCount * kWordBytes;
    static constexpr int kMostAhead = kVectorBytes - kSize;  ///< bytes from an aligned vector's first to the window's
    static constexpr int kVectors = (kMostAhead + kBytes + kVectorBytes - 1) / kVectorBytes;
    /// Samples from a strip's first to the first and beyond the last that `load` may read.
    static constexpr int kBefore = kSide + kMostAhead / kSize, kAfter = kVectors * kVectorBytes / kSize - kSide;

    std::uint32_t word[kVectors * kVectorBytes / kWordBytes];
    unsigned ahead;   ///< bytes from the first word to the window's
    bool is_aligned;  ///< nothing is to be moved: so it is of one row in many

    __device__ static ShiftedWindow load(const T* strip) {
        constexpr int kSideWords = W::kSideWords, kOwnWords = W::kOwnWords;
        const auto* from = reinterpret_cast<const std::uint8_t*>(strip - kSide);
        ShiftedWindow loaded;
        loaded.ahead = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(from) % kVectorBytes);
        loaded.is_aligned = lanework::is_aligned(strip, kOwnWords * kWordBytes);
        if (loaded.is_aligned) {
            copy_words<kSideWords>(loaded.word, strip - kSide);
            copy_words<kOwnWords>(loaded.word + kSideWords, strip);
            copy_words<kSideWords>(loaded.word + kSideWords + kOwnWords, strip + samples);
        } else {
            copy_words<kVectors * kVectorBytes / kWordBytes>(loaded.word, from - loaded.ahead);
        }
        return loaded;
    }
    __device__ W in_place() {
        W window;
        for (int i = 0; i < W::kCount; ++i) window.word[i] = word[i];
        if (!is_aligned) shift_into_place<kSize == kWordBytes>(window.word, word, ahead);
        return window;
    }
};

/// A row's ends as a strip sees them, in samples from its first: near ones only, so that few bits do.
struct RowEnds {
    int begin, end;

    __device__ static RowEnds of(std::int64_t x, std::int64_t length) {
        constexpr std::int64_t kFar = 64;
        return {static_cast<int>(x < kFar ? -x : -kFar), static_cast<int>(length - x < kFar ? length - x : kFar)};
    }
    /// Where sample i is found, a pixel beyond the row by reflection; what lies further away is of no use, but there.
    __device__ int nearest(int i, int channels, bool is_one_pixel) const {
        const int reflected = is_one_pixel ? channels : 2 * channels;
        const int there = i < begin ? i + reflected : i >= end ? i - reflected : i;
        return there < begin ? begin : there >= end ? end - 1 : there;
    }
    __device__ bool hold(int i) const { return i >= begin && i < end; }
};

/// The windows of a strip anywhere in its rows, sample by sample.
template <int samples, int channels, int rows, class T>
__device__ inline void load_samples(Window<T, samples> (&windows)[rows + 2], const ImageView<const T>& in,
                                    const StripPlace<rows>& place) {
    const RowEnds ends = RowEnds::of(place.x, in.width * channels);
    const T* const strip = row_of(in, place.first) + place.x;
    for (auto& window : windows) window = {};
    for (int at = -channels; at < samples + channels; ++at) {
        const T* const sample = strip + ends.nearest(at, channels, in.width == 1);
        for (int i = 0; i < rows + 2; ++i)
            windows[i].set_bits(at, bits_of(*bytes_after(sample, place.row(i - 1) * in.pitch)));
    }
}

/// Stores those of a strip's results that lie in the row.
template <class Out, int count>
__device__ inline void store_within(Out* to, const Words<count>& words, const RowEnds& ends) {
    constexpr int kPerWord = kWordBytes / static_cast<int>(sizeof(Out)), kBits = 8 * static_cast<int>(sizeof(Out));
    for (int i = 0; i < count * kPerWord; ++i) {
        const std::uint32_t bits = words.word[i / kPerWord] >> (kBits * (i % kPerWord));
        if (!ends.hold(i)) continue;
        if constexpr (std::is_same_v<Out, float>)
            to[i] = __uint_as_float(bits);
        else
            to[i] = static_cast<Out>(bits);
    }
}

/// Strips of a row that begins anywhere; a strip lies where its result is an aligned 16-byte store, so that the first
/// may begin before the row. Those from `inner` to `rest` have all around them that is loaded; the others, before and
/// from there to `end`, are kMostOuter at most.
struct StripsAnywhere {
    std::int64_t inner, rest, end;
};
inline constexpr int kMostOuter = 16;

/// Samples from where an aligned vector begins to a row's first result in it: so many of the first strip are not there.
template <class Out>
__device__ inline int samples_before(const Out* row) {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(row) % kVectorBytes / sizeof(Out));
}

/// One strip in row y, sample by sample.
template <int channels, int samples, class T, class Out, class Filter>
__device__ inline void filter_outer_strip(const Filter& filter, const ImageView<const T>& in, const ImageView<Out>& out,
                                          std::int64_t strip, std::int64_t y) {
    Out* const row = row_of(out, y);
    const std::int64_t x = strip * samples - samples_before(row), length = in.width * channels;
    if (x >= length) return;
    Window<T, samples> windows[3];
    load_samples<samples, channels>(windows, in, StripPlace<1>::of(in, y, x));
    const auto words = filter.result(filter.row(windows[0]), filter.row(windows[1]), filter.row(windows[2]));
    store_within(row + x, words, RowEnds::of(x, length));
}

/// One inner strip in row y, of shifted windows.
template <int channels, int samples, class T, class Out, class Filter>
__device__ inline void filter_shifted_strip(const Filter& filter, const ImageView<const T>& in,
                                            const ImageView<Out>& out, std::int64_t strip, std::int64_t y) {
    Out* const row = row_of(out, y);
    const std::int64_t x = strip * samples - samples_before(row);
    const auto place = StripPlace<1>::of(in, y, x);
    const T* const from = row_of(in, y) + x;
    const auto load = [&](int i) {
        return ShiftedWindow<T, samples>::load(bytes_after(from, place.row(i) * in.pitch));
    };
    ShiftedWindow<T, samples> around[3] = {load(-1), load(0), load(1)};
    copy_words(row + x, filter.result(filter.row(around[0].in_place()), filter.row(around[1].in_place()),
                                      filter.row(around[2].in_place())));
}

/// Computes images whose rows begin anywhere. The last block along x takes the outer strips of its rows, the others
/// the inner ones, each thread `rows` rows of a strip. Where input and output are shifted `alike` in every row, vectors
/// are loaded as they are; elsewhere they are shifted, row by row.
template <int channels, int samples, int rows, bool alike, class T, class Out, class Filter>
__device__ inline void filter_anywhere(const ImageView<const T>& in, const ImageView<Out>& out,
                                       const StripsAnywhere& strips, const Filter& filter) {
    static_assert(alike || rows == 1);
    if (blockIdx.x + 1 < gridDim.x) {
        const std::int64_t strip = strips.inner + std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
        const auto first = first_row_of_thread<rows, std::int64_t>();
        if (strip >= strips.rest || first >= in.height) return;
        if constexpr (alike) {
            const std::int64_t x = strip * samples - samples_before(row_of(out, first));
            filter_whole_strips<samples, channels>(filter, in, out, StripPlace<rows>::of(in, first, x));
        } else {
            filter_shifted_strip<channels, samples>(filter, in, out, strip, first);
        }
        return;
    }
    const unsigned shift = strips.inner + strips.end - strips.rest <= 8 ? 3 : 4;
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x, outer = thread & ((1u << shift) - 1);
    const std::int64_t strip = outer < strips.inner ? outer : strips.rest + (outer - strips.inner);
    if (strip >= strips.end) return;
    const unsigned down = blockDim.x * blockDim.y >> shift;
    const std::int64_t first = first_row_of_thread<rows, std::int64_t>() - std::int64_t{threadIdx.y} * rows;
    const std::int64_t below = first + std::int64_t{blockDim.y} * rows;
#pragma unroll 1
    for (std::int64_t y = first + (thread >> shift); y < below && y < in.height; y += down)
        filter_outer_strip<channels, samples>(filter, in, out, strip, y);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
