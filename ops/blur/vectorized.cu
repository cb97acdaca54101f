// Four samples a thread by words, and sums that slide down through registers: no barrier, and a row is loaded once for
// the three rows that need it.
#include "ops/blur/filter.cuh"

namespace {
constexpr int kRowsPerThread = 4, kSamples = 4;

template <class T, int channels>
__global__ void vectorized(ImageView<const T> in, ImageView<T> out) {
    filter_any<channels, kSamples, kRowsPerThread>(in, out, 0, SampleBlur<T, channels>());
}

template <class T>
void launch(const BlurArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const StripLaunch shape = StripLaunch::over(ceil_div(a.in.width * a.in.channels, std::int64_t{kSamples}),
                                                ceil_div(a.in.height, std::int64_t{kRowsPerThread}));
    with_channels(a.in.channels, [&]<int channels>() {
        vectorized<T, channels><<<shape.grid, shape.block, 0, stream>>>(a.in, a.out);
    });
}
}  // namespace

LANEWORK_RUNG(blur, vectorized,
              {
                  .climbs_from = "shared_tile",
                  .lesson = "Four samples a thread by words, and sums that slide through registers: no barrier.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
// mends: narrow_vectors, shared_memory_bound
