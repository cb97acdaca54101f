// expect: wrong — corners are mapped to corners, as align_corners=True does, instead of half pixels to half pixels
// says: where the reference has
#include "ops/resize/grid.cuh"

namespace {
constexpr int kCols = 32, kRows = 8;

__device__ Tap corner_tap(std::int64_t in, std::int64_t out, std::int64_t i) {
    // (i + ½) · in / out − ½ would be right
    const float position = out > 1 ? static_cast<float>(i * (in - 1)) / static_cast<float>(out - 1) : 0.0F;
    const std::int32_t first = floor_of(position);
    const auto last = static_cast<std::int32_t>(in - 1);
    return {first, first < last ? first + 1 : last, position - static_cast<float>(first)};
}

__global__ void corner_aligned(const ResizeArgs<std::uint8_t> a) {
    for (std::int64_t image = 0; image < a.out.count; ++image) {
        const ResizePair<std::uint8_t> pair = pair_of<Convention::opencv>(a, image);
        const std::int64_t x = std::int64_t{blockIdx.x} * kCols + threadIdx.x;
        const std::int64_t y = std::int64_t{blockIdx.y} * kRows + threadIdx.y;
        if (pair.empty() || x >= pair.out.width || y >= pair.out.height) continue;
        const Tap column = corner_tap(pair.in.width, pair.out.width, x);
        const Tap row = corner_tap(pair.in.height, pair.out.height, y);
        for (int channel = 0; channel < pair.out.channels; ++channel)
            row_of(pair.out, y)[x * pair.out.channels + channel] =
                sample_at<Convention::opencv>(pair, row, column, channel);
    }
}

void launch(const ResizeArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    corner_aligned<<<resize_grid(a, kCols, kRows), dim3(kCols, kRows), 0, stream>>>(a);
}
}  // namespace

LANEWORK_RUNG(resize, corner_aligned, {.lesson = "Never: centres map to centres.", .launch = {launch}});
