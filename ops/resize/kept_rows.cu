// Taps once for a block's columns and rows, and the sums along an input row kept for the next output row: where an
// image grows, each input row is weighed once.
#include "ops/resize/sample_by_sample.cuh"

namespace {
using Shape = StripShape<2, 8, true>;

template <Convention convention, class T, int channels, bool batch>
__global__ void __launch_bounds__(kStripThreads) kept_rows(const ResizeArgs<T> a, const OnlyMaps only) {
    for_each_pair<batch>(a, only, [&](const ResizePair<T>& pair) {
        if (convention == Convention::opencv && pair.half)
            resize_strip<SampleBySample<T, channels, HalfMean<T>>, Shape>(pair, a.convention);
        else
            resize_strip<SampleBySample<T, channels, Bilinear<T, convention>>, Shape>(pair, a.convention);
    });
}

template <class T>
void launch(const ResizeArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 grid = resize_grid(a, kLanes * Shape::pixels, kWarps * Shape::rows);
    with_arithmetic<T>(a.convention, [&]<Convention convention>() {
        with_channels(a.out.channels, [&]<int channels>() {
            if (is_batch(a))
                kept_rows<convention, T, channels, true><<<grid, kStripThreads, 0, stream>>>(a, only_maps(a));
            else
                kept_rows<convention, T, channels, false><<<grid, kStripThreads, 0, stream>>>(a, only_maps(a));
        });
    });
}
}  // namespace

LANEWORK_RUNG(resize, kept_rows,
              {
                  .climbs_from = "naive",
                  .lesson = "Taps once a block, and the sums along a row are kept for the next row that needs them.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
// mends: instruction_bound
