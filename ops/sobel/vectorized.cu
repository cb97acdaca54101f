// Four samples a thread by words, and rows that slide down through registers: each row is loaded once for the three
// rows of edges that need it.
#include "ops/sobel/filter.cuh"

namespace {
constexpr int kRowsPerThread = 4, kSamples = 4;

template <int channels, bool derivative, class T, class Out>
__global__ void vectorized(ImageView<const T> in, ImageView<Out> out, bool first) {
    filter_any<channels, kSamples, kRowsPerThread>(in, out, 0, SampleSobel<T, channels, derivative>{first});
}

template <class T>
void launch(const SobelArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const StripLaunch shape = StripLaunch::over(ceil_div(a.samples(), std::int64_t{kSamples}),
                                                ceil_div(a.in.height, std::int64_t{kRowsPerThread}));
    with_outputs(a, [&]<int channels, bool derivative>(const auto& out, bool first) {
        vectorized<channels, derivative><<<shape.grid, shape.block, 0, stream>>>(a.in, out, first);
    });
}
}  // namespace

LANEWORK_RUNG(sobel, vectorized,
              {
                  .climbs_from = "shared_tile",
                  .lesson = "Four samples a thread by words, and rows that slide through registers: no barrier, three "
                            "rows loaded for every row but once.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
// mends: narrow_vectors, shared_memory_bound
