// Words instead of bytes on both sides, pairs of bytes weighed by a dot product, and OpenCV's two shifted products by
// fused multiply-adds that round down: instructions are what an image that grows runs out of.
#include "ops/resize/word_pairs.cuh"

// Where a compiler for processors emulates a GPU, a strip is thousands of instructions: it is compiled once there, not
// for single images and for batches.
#ifdef __NVCC__
#define LANEWORK_ONCE_WHEN_EMULATED
#else
#define LANEWORK_ONCE_WHEN_EMULATED __attribute__((noinline, flatten))
#endif

namespace {
/// An image that grows uses each input row for several output rows. One that shrinks does not; where it is small, more
/// blocks hide the time that memory takes, and where it is large, more rows share the taps.
using GrowingStrip = StripShape<4, 8, true>;
using LargeStrip = StripShape<4, 4, false>;
using SmallStrip = StripShape<4, 1, false>;
constexpr std::int64_t kLargeOutput = 3'000'000;  ///< pixels; measured

/// As many blocks on a multiprocessor as their registers allow without spilling.
template <class Shape, bool batch>
constexpr int kStripBlocks = Shape::rows == 1       ? 8
                             : Shape::keeps&& batch ? 4
                                                    : 6;

template <class Pixels, class Shape, class T>
LANEWORK_ONCE_WHEN_EMULATED __device__ void write_strip(const ResizePair<T>& pair, Convention convention) {
    resize_strip<Pixels, Shape>(pair, convention);
}

template <Convention convention, class T, int channels, class Shape, bool batch>
__global__ void __launch_bounds__(kStripThreads, (kStripBlocks<Shape, batch>))
    word_strips(const ResizeArgs<T> a, const OnlyMaps only) {
    using Words = WordsOf<T, channels, convention, Shape::keeps>;
    for_each_pair<batch>(a, only, [&](const ResizePair<T>& pair) {
        if (convention == Convention::opencv && pair.half)
            write_strip<typename Words::Half, Shape>(pair, a.convention);
        else
            write_strip<typename Words::General, Shape>(pair, a.convention);
    });
}

template <Convention convention, int channels, class Shape, class T>
void launch_strips(const ResizeArgs<T>& a, cudaStream_t stream) {
    const dim3 grid = resize_grid(a, kLanes * Shape::pixels, kWarps * Shape::rows);
    if (is_batch(a))
        word_strips<convention, T, channels, Shape, true><<<grid, kStripThreads, 0, stream>>>(a, only_maps(a));
    else
        word_strips<convention, T, channels, Shape, false><<<grid, kStripThreads, 0, stream>>>(a, only_maps(a));
}

template <class T>
void launch(const ResizeArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const std::int64_t pixels = a.out.most_height * a.out.most_width * a.out.count;
    with_arithmetic<T>(a.convention, [&]<Convention convention>() {
        with_channels(a.out.channels, [&]<int channels>() {
            if (a.out.most_height > a.in.most_height)
                launch_strips<convention, channels, GrowingStrip>(a, stream);
            else if (pixels > kLargeOutput)
                launch_strips<convention, channels, LargeStrip>(a, stream);
            else
                launch_strips<convention, channels, SmallStrip>(a, stream);
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
// mends: narrow_vectors, instruction_bound
