// A 3×3 filter over an image by two kernels: one for the strips that vectors can load, one for all others.
#pragma once

#include "src/image/windows.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// The strips of an image's rows in two parts: `whole` ones, which end with their row or are followed by kSide samples,
/// in rows that begin at multiples of 16 bytes; and from there on those of any kind.
struct StripParts {
    std::int64_t whole, strips;

    template <int samples, class T, class Out>
    static StripParts of(const ImageView<const T>& in, const ImageView<Out>& out) {
        const std::int64_t length = in.width * in.channels, strips = ceil_div(length, std::int64_t{samples});
        const bool vectors = has_vector_rows(in) && has_vector_rows(out) && length >= samples + kSide;
        return {!vectors ? 0 : length % samples == 0 ? strips : (length - kSide) / samples, strips};
    }
};

inline constexpr int kFilterThreads = 128;

/// `blocks` is how many are to be resident on a multiprocessor: what is left of its registers for each.
template <int channels, int rows, int blocks, class T, class Out, class Filter>
__global__ void __launch_bounds__(kFilterThreads, blocks)
    filter_whole_strips_of(ImageView<const T> in, ImageView<Out> out, std::int64_t strips, Filter filter) {
    filter_whole<channels, Filter::kSamples, rows>(in, out, strips, filter);
}
template <int channels, int rows, int blocks, class T, class Out, class Filter>
__global__ void __launch_bounds__(kFilterThreads, blocks)
    filter_any_strips_of(ImageView<const T> in, ImageView<Out> out, std::int64_t begin, Filter filter) {
    filter_any<channels, Filter::kSamples, rows>(in, out, begin, filter);
}

/// Filters an image that is not empty; a thread takes `rows` rows of Filter::kSamples samples.
template <int channels, int rows, int blocks, class T, class Out, class Filter>
void launch_filter(const ImageView<const T>& in, const ImageView<Out>& out, const Filter& filter, cudaStream_t stream) {
    const auto parts = StripParts::of<Filter::kSamples>(in, out);
    const std::int64_t steps = ceil_div(in.height, std::int64_t{rows});
    if (parts.whole > 0) {
        const auto size = StripLaunch::all_over(parts.whole, steps);
        filter_whole_strips_of<channels, rows, blocks>
            <<<size.grid, size.block, 0, stream>>>(in, out, parts.whole, filter);
    }
    if (parts.whole < parts.strips) {
        const auto size = StripLaunch::over(parts.strips - parts.whole, steps);
        filter_any_strips_of<channels, rows, blocks>
            <<<size.grid, size.block, 0, stream>>>(in, out, parts.whole, filter);
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
