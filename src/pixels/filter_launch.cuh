// A 3×3 filter over an image: by one kernel where its rows are whole vectors, by others where they begin anywhere.
#pragma once

#include <limits>

#include "src/pixels/shifted_windows.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// How the rows of an image and of its result lie, in strips of `samples` samples.
template <int samples, class T, class Out>
struct StripsOf {
    const ImageView<const T>& in;
    const ImageView<Out>& out;
    std::int64_t length = in.width * in.channels;

    /// Whether 31 bits count rows, their samples and their bytes.
    bool are_few() const {
        constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
        return length <= kMost && in.height <= kMost && in.pitch <= kMost && out.pitch <= kMost;
    }
    bool begin_with_vectors() const { return has_vector_rows(in) && has_vector_rows(out); }
    /// Whether rows are whole strips, which `load_windows` can load.
    bool are_whole() const {
        return are_few() && begin_with_vectors() && length % samples == 0 && length >= samples + kSide;
    }
    /// Whether input and output begin at the same sample of a strip in every row.
    bool are_alike() const {
        const auto place = [](const auto* pixels) {
            return reinterpret_cast<std::uintptr_t>(pixels) / sizeof(*pixels) % samples;
        };
        const auto step = [](const auto& image) {
            return image.pitch % (samples * static_cast<std::int64_t>(sizeof(*image.pixels)));
        };
        return are_few() && place(in.pixels) == place(out.pixels) && step(in) == 0 && step(out) == 0;
    }
    StripsAnywhere anywhere(bool alike) const {
        using Shifted = ShiftedWindow<T, samples>;
        constexpr std::int64_t kMostBefore = samples - 1;  // samples of the first strip before the row
        const std::int64_t before = alike ? kSide : Shifted::kBefore, after = alike ? samples + kSide : Shifted::kAfter;
        const std::int64_t end = ceil_div(length + (begin_with_vectors() ? 0 : kMostBefore), std::int64_t{samples});
        const std::int64_t inner =
            alike && begin_with_vectors() ? 0 : ceil_div(before + kMostBefore, std::int64_t{samples});
        const std::int64_t rest = length < after ? 0 : (length - after) / samples + 1;
        return inner < rest ? StripsAnywhere{inner, rest, end} : StripsAnywhere{0, 0, end};
    }
};

inline constexpr int kFilterThreads = 128;

/// `blocks` is how many are to be resident on a multiprocessor: what is left of its registers for each.
template <int channels, int rows, int blocks, class T, class Out, class Filter>
__global__ void __launch_bounds__(kFilterThreads, blocks)
    filter_whole_strips_of(ImageView<const T> in, ImageView<Out> out, unsigned strips, Filter filter) {
    filter_whole<channels, Filter::kSamples, rows>(in, out, strips, filter);
}
template <int channels, int rows, bool alike, class T, class Out, class Filter>
__global__ void __launch_bounds__(kFilterThreads)
    filter_strips_anywhere(ImageView<const T> in, ImageView<Out> out, StripsAnywhere strips, Filter filter) {
    filter_anywhere<channels, Filter::kSamples, rows, alike>(in, out, strips, filter);
}

template <int channels, int rows, int blocks, class T, class Out, class Filter>
void launch_whole(const ImageView<const T>& in, const ImageView<Out>& out, const Filter& filter, cudaStream_t stream) {
    const std::int64_t strips = in.width * channels / Filter::kSamples;
    const auto size = StripLaunch::all_over(strips, ceil_div(in.height, std::int64_t{rows}));
    filter_whole_strips_of<channels, rows, blocks>
        <<<size.grid, size.block, 0, stream>>>(in, out, static_cast<unsigned>(strips), filter);
}
template <int channels, int rows, bool alike, class T, class Out, class Filter>
void launch_anywhere(const ImageView<const T>& in, const ImageView<Out>& out, const Filter& filter,
                     cudaStream_t stream) {
    const StripsAnywhere strips = StripsOf<Filter::kSamples, T, Out>{in, out}.anywhere(alike);
    const std::int64_t inner = strips.rest - strips.inner;
    auto size = StripLaunch::all_over(inner > kMostOuter ? inner : kMostOuter, ceil_div(in.height, std::int64_t{rows}));
    size.grid.x = inner > 0 ? size.grid.x + 1 : 1;  // the last for the outer strips
    filter_strips_anywhere<channels, rows, alike><<<size.grid, size.block, 0, stream>>>(in, out, strips, filter);
}

/// Filters an image that is not empty; a thread takes Filter::kSamples samples in `rows` rows, or in one where that
/// leaves multiprocessors without work.
template <int channels, int rows, int blocks, class T, class Out, class Filter>
void launch_filter(const ImageView<const T>& in, const ImageView<Out>& out, const Filter& filter, cudaStream_t stream) {
    constexpr std::int64_t kFewThreads = 1 << 15;
    const StripsOf<Filter::kSamples, T, Out> strips{in, out};
    if (!strips.are_whole())
        return strips.are_alike() ? launch_anywhere<channels, 2, true>(in, out, filter, stream)
                                  : launch_anywhere<channels, 1, false>(in, out, filter, stream);
    if (strips.length / Filter::kSamples * ceil_div(in.height, std::int64_t{rows}) > kFewThreads)
        launch_whole<channels, rows, blocks>(in, out, filter, stream);
    else
        launch_whole<channels, 1, blocks>(in, out, filter, stream);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
