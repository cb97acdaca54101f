// expect: wrong — the sum is rounded down: every sample is half a step darker on average
// says: where the reference has
#include "ops/blur/operation.hpp"
#include "src/pixels/words.cuh"

namespace {
constexpr int kCols = 32, kRows = 8;

__global__ void rounded_down(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out) {
    const std::int64_t sample = std::int64_t{blockIdx.x} * kCols + threadIdx.x;
    if (sample >= in.width * in.channels) return;
    const std::int64_t x = sample / in.channels, channel = sample - x * in.channels;
    const std::int64_t left = reflect(x - 1, in.width) * in.channels + channel;
    const std::int64_t right = reflect(x + 1, in.width) * in.channels + channel;
    for (std::int64_t y = std::int64_t{blockIdx.y} * kRows + threadIdx.y; y < in.height;
         y += std::int64_t{gridDim.y} * kRows) {
        const auto sum = [&](std::int64_t at) {
            const std::uint8_t* row = row_of(in, reflect(at, in.height));
            return smooth<int>(row[left], row[sample], row[right]);
        };
        // blurred(…), which adds 8 first, would be right
        row_of(out, y)[sample] = static_cast<std::uint8_t>(smooth(sum(y - 1), sum(y), sum(y + 1)) >> 4);
    }
}

void launch(const BlurArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(kCols, kRows);
    rounded_down<<<grid_over(a.in.width * a.in.channels, a.in.height, block), block, 0, stream>>>(a.in, a.out);
}
}  // namespace

LANEWORK_RUNG(blur, rounded_down, {.lesson = "Never: a mean is rounded to nearest.", .launch = {launch}});
