// expect: wrong — rows are taken to lie one after the other: a region of a larger image comes out sheared
// says: lies between the rows of `gray`
#include "ops/gray/pixels.hpp"

namespace {
constexpr int kThreads = 256;

__global__ void rows_are_tight(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= in.width * in.height) return;
    // row_of(in, y) + x * in.channels would be right
    const std::uint8_t* pixel = in.pixels + i * in.channels;
    out.pixels[i] = gray_of<GrayForm::opencv>(pixel[0], pixel[1], pixel[2]);
}

void launch(const GrayArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(kThreads);
    rows_are_tight<<<grid_over(a.in.width * a.in.height, 1, block), block, 0, stream>>>(a.in, a.out);
}
}  // namespace

LANEWORK_RUNG(gray, rows_are_tight, {.lesson = "Never: a view has a pitch.", .launch = {launch}});
