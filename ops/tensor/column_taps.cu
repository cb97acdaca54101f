// A thread keeps its column over sixteen rows and the block its rows: taps, in double precision, are computed once.
#include "ops/tensor/planes.cuh"

namespace {
template <class In, Convention convention, int channels, class Out>
__global__ void column_taps(TensorArgs<Out> a, Planes planes) {
    write_tiles<In, convention, channels>(a, planes);
}

template <class Out>
void launch(const TensorArgs<Out>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 grid = tile_grid(a.out.height, a.out.width, a.out.count);
    const Planes planes = Planes::of(a);
    with_input(a, [&]<class In, Convention convention>() {
        with_channels(static_cast<int>(a.out.channels), [&]<int channels>() {
            column_taps<In, convention, channels><<<grid, kTileColumns, 0, stream>>>(a, planes);
        });
    });
}
}  // namespace

LANEWORK_RUNG(tensor, column_taps,
              {
                  .climbs_from = "whole_pixels",
                  .lesson = "A column and its taps stay with a thread: per pixel only samples are loaded and mixed.",
                  .launch = {launch<float>, launch<float16>},
              });
