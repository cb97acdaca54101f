// expect: wrong — a strength above 255 is stored without saturation: the strongest edges come out dark
// says: where the reference has
#include "ops/sobel/operation.hpp"
#include "src/pixels/words.cuh"

namespace {
constexpr int kCols = 32, kRows = 8;

__global__ void wraps_around(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out) {
    const std::int64_t sample = std::int64_t{blockIdx.x} * kCols + threadIdx.x;
    if (sample >= in.width * in.channels) return;
    const std::int64_t x = sample / in.channels, channel = sample - x * in.channels;
    const std::int64_t left = reflect(x - 1, in.width) * in.channels + channel;
    const std::int64_t right = reflect(x + 1, in.width) * in.channels + channel;
    for (std::int64_t y = std::int64_t{blockIdx.y} * kRows + threadIdx.y; y < in.height;
         y += std::int64_t{gridDim.y} * kRows) {
        const std::uint8_t *above = row_of(in, reflect(y - 1, in.height)), *here = row_of(in, y),
                           *below = row_of(in, reflect(y + 1, in.height));
        const int gx =
            smooth<int>(above[right], here[right], below[right]) - smooth<int>(above[left], here[left], below[left]);
        const int gy = smooth<int>(below[left], below[sample], below[right]) -
                       smooth<int>(above[left], above[sample], above[right]);
        // edge_of<SobelOutput::half_sum>(gx, gy) would be right
        row_of(out, y)[sample] = static_cast<std::uint8_t>((abs(gx) + abs(gy)) / 2);
    }
}

void launch(const SobelArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 block(kCols, kRows);
    wraps_around<<<grid_over(a.samples(), a.in.height, block), block, 0, stream>>>(a.in, a.edges);
}

std::string_view refuses(const Problem& p) { return p.variant == 0 ? "" : "half_sum only"; }
}  // namespace

LANEWORK_RUNG(sobel, wraps_around, {.lesson = "Never: saturate.", .launch = {launch}, .refuses = refuses});
