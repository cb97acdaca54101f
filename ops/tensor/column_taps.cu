// A thread keeps its column over a strip of rows and the block its rows: taps, in double precision, are computed once.
#include "ops/tensor/planes.cuh"

namespace {
template <class In, Convention convention, int channels, int strip, class Out>
__global__ void column_taps(TensorArgs<Out> a, Planes planes) {
    write_tiles<In, convention, channels, strip>(a, planes);
}

template <class Out>
void launch(const TensorArgs<Out>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const Planes planes = Planes::of(a);
    with_input(a, [&]<class In, Convention convention>() {
        with_channels(static_cast<int>(a.out.channels), [&]<int channels>() {
            with_strips(a.out.height, a.out.width, a.out.count, [&]<int strip>(const dim3& grid) {
                column_taps<In, convention, channels, strip><<<grid, kTileColumns, 0, stream>>>(a, planes);
            });
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
// mends: instruction_bound
