// One thread a pixel: taps from two divisions and double-precision products, for every pixel again.
#include "ops/resize/grid.cuh"

namespace {
constexpr int kCols = 32, kRows = 8;

template <Convention convention, class T>
__global__ void naive(const ResizeArgs<T> a) {
    // A grid has at most 65535 blocks along y and z; what is larger takes several steps.
    for (std::int64_t image = blockIdx.z; image < a.out.count; image += gridDim.z) {
        const ResizePair<T> pair = pair_of<convention>(a, image);
        const std::int64_t x = std::int64_t{blockIdx.x} * kCols + threadIdx.x;
        if (pair.empty() || x >= pair.out.width) continue;
        const Tap column = column_tap<convention>(pair.columns, x);
        for (std::int64_t y = std::int64_t{blockIdx.y} * kRows + threadIdx.y; y < pair.out.height;
             y += std::int64_t{gridDim.y} * kRows) {
            const Tap row = row_tap<convention>(pair.rows, y);
            T* out = row_of(pair.out, y) + x * pair.out.channels;
            for (int channel = 0; channel < pair.out.channels; ++channel)
                out[channel] = sample_at<convention>(pair, row, column, channel);
        }
    }
}

template <class T>
void launch(const ResizeArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 grid = resize_grid(a, kCols, kRows);
    with_convention(a.convention,
                    [&]<Convention convention>() { naive<convention><<<grid, dim3(kCols, kRows), 0, stream>>>(a); });
}
}  // namespace

LANEWORK_RUNG(resize, naive,
              {
                  .lesson = "One thread a pixel: every thread divides for its own taps, and loads and stores bytes.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
