// expect: wrong — the outermost pixels are repeated where the border is reflected about them
// says: where the reference has
#include "ops/blur/operation.hpp"
#include "src/pixels/words.cuh"

namespace {
constexpr int kCols = 32, kRows = 8;

__global__ void border_repeated(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out) {
    const std::int64_t sample = std::int64_t{blockIdx.x} * kCols + threadIdx.x, length = in.width * in.channels;
    if (sample >= length) return;
    const std::int64_t left = sample < in.channels ? sample : sample - in.channels;
    const std::int64_t right = sample + in.channels < length ? sample + in.channels : sample;
    for (std::int64_t y = std::int64_t{blockIdx.y} * kRows + threadIdx.y; y < in.height;
         y += std::int64_t{gridDim.y} * kRows) {
        const auto sum = [&](std::int64_t at) {
            const std::uint8_t* row = row_of(in, at);
            return smooth<int>(row[left], row[sample], row[right]);
        };
        // reflect(y - 1, in.height) and reflect(y + 1, in.height) would be right
        const std::int64_t above = y == 0 ? 0 : y - 1, below = y + 1 < in.height ? y + 1 : y;
        row_of(out, y)[sample] = blurred(smooth(sum(above), sum(y), sum(below)));
    }
}

void launch(const BlurArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(kCols, kRows);
    border_repeated<<<grid_over(a.in.width * a.in.channels, a.in.height, block), block, 0, stream>>>(a.in, a.out);
}
}  // namespace

LANEWORK_RUNG(blur, border_repeated, {.lesson = "Never: a border has a definition.", .launch = {launch}});
