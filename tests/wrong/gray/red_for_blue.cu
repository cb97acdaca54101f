// expect: wrong — the weights of red and blue are exchanged: pictures still look plausible
// says: where the reference has
#include "ops/gray/pixels.hpp"

namespace {
constexpr int kThreads = 256;

__global__ void red_for_blue(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out) {
    const std::int64_t x = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (x >= in.width) return;
    for (std::int64_t y = blockIdx.y; y < in.height; y += gridDim.y) {
        const std::uint8_t* pixel = row_of(in, y) + x * in.channels;
        // pixel[0], pixel[1], pixel[2] would be right
        row_of(out, y)[x] = gray_of<GrayForm::opencv>(pixel[2], pixel[1], pixel[0]);
    }
}

void launch(const GrayArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(kThreads);
    red_for_blue<<<grid_over(a.in.width, a.in.height, block), block, 0, stream>>>(a.in, a.out);
}
}  // namespace

LANEWORK_RUNG(gray, red_for_blue, {.lesson = "Never: know the order of the colours.", .launch = {launch}});
