// One thread a pixel: what its channels share is computed once.
#include "ops/tensor/planes.cuh"

namespace {
constexpr int kThreads = 256;

template <class In, Convention convention, int channels, class Out>
__global__ void whole_pixels(TensorArgs<Out> a, Planes planes) {
    const std::int64_t pixel = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (pixel >= a.out.count * a.plane()) return;
    const std::int64_t k = pixel / a.plane(), within = pixel % a.plane();
    const auto source = FittedSource<In, convention>::of(image_of(a.template images<In>(), k), a.out.height,
                                                         a.out.width, a.options.letterbox);
    const auto rows = source.rows(within / a.out.width), columns = source.columns(within % a.out.width);
    store(planes, a.out.data + k * channels * a.plane() + within,
          mix(load<channels>(source.image, rows, columns), rows, columns));
    if (a.to_source && within == 0) store_transform(a.to_source[k], source.to_source());
}

template <class Out>
void launch(const TensorArgs<Out>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const auto blocks = static_cast<unsigned>(ceil_div(a.out.count * a.plane(), kThreads));
    const Planes planes = Planes::of(a);
    with_input(a, [&]<class In, Convention convention>() {
        with_channels(static_cast<int>(a.out.channels), [&]<int channels>() {
            whole_pixels<In, convention, channels><<<blocks, kThreads, 0, stream>>>(a, planes);
        });
    });
}
}  // namespace

LANEWORK_RUNG(tensor, whole_pixels,
              {
                  .climbs_from = "naive",
                  .lesson = "One thread a pixel: its channels share the taps, and rows without weight are not read.",
                  .launch = {launch<float>, launch<float16>},
              });
// mends: instruction_bound
