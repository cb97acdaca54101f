// Words instead of bytes on both sides, pairs of bytes weighed by a dot product, and OpenCV's two shifted products by
// fused multiply-adds that round down: instructions are what an image that grows runs out of.
#include "ops/resize/word_pairs.cuh"

namespace {
/// An image that grows uses each input row for several output rows; of one that shrinks all loads are made at once.
template <int channels>
using Growing = StripShape<channels == 1 ? 4 : 2, 8, true>;
template <int channels>
using Shrinking = StripShape<channels == 1 ? 4 : 2, 2, false>;

template <class T, int channels, Convention convention>
struct PixelsOf {
    using General = SampleBySample<T, channels, Bilinear<T, convention>>;
    using Half = SampleBySample<T, channels, HalfMean<T>>;
};
template <int channels, Convention convention>
struct PixelsOf<std::uint8_t, channels, convention> {
    using General = WordPairs<channels, FloatWords<convention>>;
    using Half = General;
};
template <int channels>
struct PixelsOf<std::uint8_t, channels, Convention::opencv> {
    using General = WordPairs<channels, OpencvWords>;
    using Half = WordPairs<channels, HalfWords>;
};

template <Convention convention, class T, int channels, class Shape>
__global__ void __launch_bounds__(kStripThreads) word_pairs(const ResizeArgs<T> a, const OnlyMaps only) {
    using Pixels = PixelsOf<T, channels, convention>;
    for (std::int64_t image = blockIdx.z; image < a.out.count; image += gridDim.z) {
        const ResizePair<T> pair = pair_of_block(a, only, image);
        if (pair.empty()) continue;
        if (convention == Convention::opencv && pair.half)
            resize_strip<typename Pixels::Half, Shape>(pair, a.convention);
        else
            resize_strip<typename Pixels::General, Shape>(pair, a.convention);
    }
}

template <Convention convention, int channels, class Shape, class T>
void launch_shape(const ResizeArgs<T>& a, cudaStream_t stream) {
    const dim3 grid = resize_grid(a, kLanes * Shape::pixels, kWarps * Shape::rows);
    word_pairs<convention, T, channels, Shape><<<grid, kStripThreads, 0, stream>>>(a, only_maps(a));
}

template <class T>
void launch(const ResizeArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    with_arithmetic<T>(a.convention, [&]<Convention convention>() {
        with_channels(a.out.channels, [&]<int channels>() {
            if (a.out.most_height > a.in.most_height)
                launch_shape<convention, channels, Growing<channels>>(a, stream);
            else
                launch_shape<convention, channels, Shrinking<channels>>(a, stream);
        });
    });
}
}  // namespace

LANEWORK_RUNG(
    resize, word_pairs,
    {
        .climbs_from = "kept_rows",
        .lesson = "Words in and out; a dot product weighs two bytes, and fused multiply-adds do OpenCV's rounding.",
        .launch = {launch<std::uint8_t>, launch<float>},
    });
