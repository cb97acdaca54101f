// Two neighbouring pixels are six bytes in two or three aligned words: half the loads, and all of whole words.
#include "ops/letterbox/tiles.cuh"

namespace {
template <Convention convention, int channels, class T>
__global__ void word_windows(LetterboxArgs<T> a, Padding<T> padding) {
    write_tiles<ByWord, convention, channels>(
        a, padding, [](T* row, std::int64_t x, std::int64_t width, const Pixel<T, channels>& pixel) {
            store_samples(row, x, width, pixel);
        });
}

template <class T>
void launch(const LetterboxArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 grid = tile_grid(a.out.most_height, a.out.most_width, a.out.count);
    const auto padding = Padding<T>::of(a.options);
    with_convention(a.options.convention, [&]<Convention convention>() {
        with_channels(a.out.channels, [&]<int channels>() {
            word_windows<convention, channels><<<grid, kTileColumns, 0, stream>>>(a, padding);
        });
    });
}
}  // namespace

LANEWORK_RUNG(letterbox, word_windows,
              {
                  .climbs_from = "column_taps",
                  .lesson = "Both pixels of a row come as aligned words, shifted into place, instead of byte by byte.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
