// One thread a sample, eight loads each: neighbouring threads ask for the same samples again and again.
#include "ops/sobel/operation.hpp"
#include "src/pixels/words.cuh"

namespace {
constexpr int kCols = 32, kRows = 8;

template <SobelOutput output, class T, class Out>
__global__ void naive(ImageView<const T> in, ImageView<Out> out) {
    const std::int64_t sample = std::int64_t{blockIdx.x} * kCols + threadIdx.x;
    if (sample >= in.width * in.channels) return;
    const std::int64_t x = sample / in.channels, channel = sample - x * in.channels;
    const std::int64_t left = reflect(x - 1, in.width) * in.channels + channel;
    const std::int64_t right = reflect(x + 1, in.width) * in.channels + channel;
    using Number = SobelNumber<T>;
    // A grid has at most 65535 blocks downwards; a taller image takes several steps.
    for (std::int64_t y = std::int64_t{blockIdx.y} * kRows + threadIdx.y; y < in.height;
         y += std::int64_t{gridDim.y} * kRows) {
        const T *above = row_of(in, reflect(y - 1, in.height)), *here = row_of(in, y),
                *below = row_of(in, reflect(y + 1, in.height));
        const auto difference = [&](const T* row) { return Number{row[right]} - Number{row[left]}; };
        const auto sum = [&](const T* row) { return smooth<Number>(row[left], row[sample], row[right]); };
        row_of(out, y)[sample] =
            edge_of<output>(smooth(difference(above), difference(here), difference(below)), sum(below) - sum(above));
    }
}

template <class T>
void launch(const SobelArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(kCols, kRows), grid = grid_over(a.samples(), a.in.height, block);
    with_output(a.output,
                [&]<SobelOutput output>() { naive<output><<<grid, block, 0, stream>>>(a.in, out_of<output>(a)); });
}
}  // namespace

LANEWORK_RUNG(sobel, naive,
              {
                  .lesson = "One thread a sample: eight loads, and every sample is asked for by eight threads.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
