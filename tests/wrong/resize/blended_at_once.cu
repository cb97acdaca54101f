// expect: wrong — both directions are weighed in one sum and rounded once, which is nearer to the truth than OpenCV is
// says: where the reference has
#include "ops/resize/grid.cuh"

namespace {
constexpr int kCols = 32, kRows = 8;

__global__ void blended_at_once(const ResizeArgs<std::uint8_t> a) {
    for (std::int64_t image = 0; image < a.out.count; ++image) {
        const ResizePair<std::uint8_t> pair = pair_of<Convention::opencv>(a, image);
        const std::int64_t x = std::int64_t{blockIdx.x} * kCols + threadIdx.x;
        const std::int64_t y = std::int64_t{blockIdx.y} * kRows + threadIdx.y;
        if (pair.empty() || x >= pair.out.width || y >= pair.out.height) continue;
        const Tap column = column_tap<Convention::opencv>(pair.columns, x);
        const Tap row = row_tap<Convention::opencv>(pair.rows, y);
        const int channels = pair.out.channels;
        const std::uint8_t *above = row_of(pair.in, row.first), *below = row_of(pair.in, row.second);
        for (int c = 0; c < channels; ++c) {
            const std::int64_t left = std::int64_t{column.first} * channels + c;
            const std::int64_t right = std::int64_t{column.second} * channels + c;
            const int top = above[left] * first_weight(column) + above[right] * second_weight(column);
            const int bottom = below[left] * first_weight(column) + below[right] * second_weight(column);
            // opencv_blend, which shifts three times, would be right
            const std::int64_t sum = std::int64_t{top} * first_weight(row) + std::int64_t{bottom} * second_weight(row);
            row_of(pair.out, y)[x * channels + c] = static_cast<std::uint8_t>((sum + (1 << 21)) >> 22);
        }
    }
}

void launch(const ResizeArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    blended_at_once<<<resize_grid(a, kCols, kRows), dim3(kCols, kRows), 0, stream>>>(a);
}
}  // namespace

LANEWORK_RUNG(resize, blended_at_once, {.lesson = "Never: equal bytes are not the nearest bytes.", .launch = {launch}});
