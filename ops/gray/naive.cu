// One thread a pixel, three loads of a sample each: a warp asks three times for the same lines.
#include "ops/gray/pixels.hpp"

namespace {
constexpr int kThreads = 256;

template <int channels, bool is_max>
__device__ std::uint8_t value_of(const std::uint8_t* pixel, const GrayFormula<std::uint8_t, is_max>& formula) {
    return static_cast<std::uint8_t>(formula(pixel[0] | std::uint32_t{pixel[1]} << 8 | std::uint32_t{pixel[2]} << 16));
}
template <int channels, bool is_max>
__device__ float value_of(const float* pixel, const GrayFormula<float, is_max>& formula) {
    return formula(pixel[0], pixel[1], pixel[2]);
}

template <class T, int channels, bool is_max>
__global__ void naive(ImageView<const T> in, ImageView<T> out, GrayFormula<T, is_max> formula) {
    const std::int64_t x = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (x >= in.width) return;
    for (std::int64_t y = blockIdx.y; y < in.height; y += gridDim.y)
        row_of(out, y)[x] = value_of<channels>(row_of(in, y) + x * channels, formula);
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
