// A thread keeps its column over a strip of rows and the block its rows: taps, in double precision, are computed once.
#include "ops/letterbox/tiles.cuh"

namespace {
template <Convention convention, int channels, int strip, class T>
__global__ void column_taps(LetterboxArgs<T> a, Padding<T> padding) {
    write_tiles<convention, channels, strip>(
        a, padding, [](T* row, std::int64_t x, std::int64_t width, const Pixel<T, channels>& pixel) {
            store_samples(row, x, width, pixel);
        });
}

template <class T>
void launch(const LetterboxArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const auto padding = Padding<T>::of(a.options);
    with_convention(a.options.convention, [&]<Convention convention>() {
        with_channels(a.out.channels, [&]<int channels>() {
            with_strips(a.out.most_height, a.out.most_width, a.out.count, [&]<int strip>(const dim3& grid) {
                column_taps<convention, channels, strip><<<grid, kTileColumns, 0, stream>>>(a, padding);
            });
        });
    });
}
}  // namespace

LANEWORK_RUNG(letterbox, column_taps,
              {
                  .climbs_from = "naive",
                  .lesson = "A column and its taps stay with a thread: per pixel only samples are loaded and mixed.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
// mends: instruction_bound
