// Two neighbouring pixels are six bytes in two or three aligned words: half the loads, and all of whole words.
#include "ops/tensor/planes.cuh"

namespace {
template <class In, Convention convention, int channels, class Out>
__global__ void word_windows(TensorArgs<Out> a, Planes planes) {
    write_tiles<ByWord, In, convention, channels>(a, planes);
}

template <class Out>
void launch(const TensorArgs<Out>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 grid = tile_grid(a.out.height, a.out.width, a.out.count);
    const Planes planes = Planes::of(a);
    with_input(a, [&]<class In, Convention convention>() {
        with_channels(static_cast<int>(a.out.channels), [&]<int channels>() {
            word_windows<In, convention, channels><<<grid, kTileColumns, 0, stream>>>(a, planes);
        });
    });
}
}  // namespace

LANEWORK_RUNG(tensor, word_windows,
              {
                  .climbs_from = "column_taps",
                  .lesson = "Both pixels of a row come as aligned words, shifted into place, instead of byte by byte.",
                  .launch = {launch<float>, launch<float16>},
              });
