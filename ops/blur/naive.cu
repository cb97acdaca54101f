// One thread a sample, nine loads each: neighbouring threads ask for the same samples again and again.
#include "ops/blur/operation.hpp"
#include "src/pixels/words.cuh"

namespace {
constexpr int kCols = 32, kRows = 8;

template <class T>
__global__ void naive(ImageView<const T> in, ImageView<T> out) {
    const std::int64_t sample = std::int64_t{blockIdx.x} * kCols + threadIdx.x;
    if (sample >= in.width * in.channels) return;
    const std::int64_t x = sample / in.channels, channel = sample - x * in.channels;
    const std::int64_t left = reflect(x - 1, in.width) * in.channels + channel;
    const std::int64_t right = reflect(x + 1, in.width) * in.channels + channel;
    // A grid has at most 65535 blocks downwards; a taller image takes several steps.
    for (std::int64_t y = std::int64_t{blockIdx.y} * kRows + threadIdx.y; y < in.height;
         y += std::int64_t{gridDim.y} * kRows) {
        const auto sum = [&](std::int64_t at) {
            const T* row = row_of(in, reflect(at, in.height));
            return smooth<BlurSum<T>>(row[left], row[sample], row[right]);
        };
        row_of(out, y)[sample] = blurred(smooth(sum(y - 1), sum(y), sum(y + 1)));
    }
}

template <class T>
void launch(const BlurArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(kCols, kRows);
    naive<T><<<grid_over(a.in.width * a.in.channels, a.in.height, block), block, 0, stream>>>(a.in, a.out);
}
}  // namespace

LANEWORK_RUNG(blur, naive,
              {
                  .lesson = "One thread a sample: nine loads, and every sample is asked for by nine threads.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
