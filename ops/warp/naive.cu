// One thread a pixel: each computes its own position in doubles, and asks of every tap whether it is in the image.
#include "ops/warp/tiles.hpp"

namespace {
template <class Number, class T>
__global__ void naive(WarpArgs<T> a) {
    const std::int64_t x = std::int64_t{blockIdx.x} * kTileWidth + threadIdx.x;
    if (x >= a.out.width) return;
    for (std::int64_t y = std::int64_t{blockIdx.y} * kWarps + threadIdx.y; y < a.out.height;
         y += std::int64_t{gridDim.y} * kWarps) {
        const auto site = site_of(column_terms<Number>(a.to_in, x), row_terms<Number>(a.to_in, y));
        T* out = row_of(a.out, y) + x * a.out.channels;
        for (int c = 0; c < a.out.channels; ++c) out[c] = sample_at(a.in, site, c, a.border[c]);
    }
}

template <class T>
void launch(const WarpArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 grid = tiles_of(a.out.height, a.out.width, kWarps), block(kTileWidth, kWarps);
    if (a.convention == Convention::floating)
        naive<double><<<grid, block, 0, stream>>>(a);
    else
        naive<std::int64_t><<<grid, block, 0, stream>>>(a);
}
}  // namespace

LANEWORK_RUNG(warp, naive,
              {
                  .lesson = "One thread a pixel: its position anew in doubles, and a test before every tap.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
