// One thread a pixel, three loads of a sample each: a warp asks three times for the same lines.
#include "ops/gray/pixels.hpp"

namespace {
constexpr int kThreads = 256;

template <class T, int channels, bool is_max>
__global__ void naive(ImageView<const T> in, ImageView<T> out, GrayFormula<T, is_max> formula) {
    const std::int64_t x = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (x >= in.width) return;
    for (std::int64_t y = blockIdx.y; y < in.height; y += gridDim.y)
        row_of(out, y)[x] = gray_pixel(row_of(in, y) + x * channels, formula);
}

template <class T>
void launch(const GrayArgs<T>& args, cudaStream_t stream) {
    if (args.empty()) return;
    const GrayArgs<T> a = in_long_rows(args);
    const dim3 block(kThreads), grid = grid_over(a.in.width, a.in.height, block);
    with_kernel(a, [&]<int channels, bool is_max>() {
        naive<T, channels><<<grid, block, 0, stream>>>(a.in, a.out, GrayFormula<T, is_max>::of(a.form, a.order));
    });
}
}  // namespace

LANEWORK_RUNG(
    gray, naive,
    {
        .lesson = "One thread a pixel: three loads of a sample, each of which touches every line of the warp's pixels.",
        .launch = {launch<std::uint8_t>, launch<float>},
    });
