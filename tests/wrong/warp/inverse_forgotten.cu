// expect: wrong — the transform itself is followed from the output: the picture turns the other way round
// says: where the reference has
#include "ops/warp/tiles.hpp"

namespace {
__global__ void inverse_forgotten(WarpArgs<std::uint8_t> a) {
    const std::int64_t x = std::int64_t{blockIdx.x} * kTileWidth + threadIdx.x,
                       y = std::int64_t{blockIdx.y} * kWarps + threadIdx.y;
    if (x >= a.out.width || y >= a.out.height) return;
    // a.to_in would be right
    const auto site = site_of(column_terms<std::int64_t>(a.affine, x), row_terms<std::int64_t>(a.affine, y));
    for (int c = 0; c < a.out.channels; ++c)
        row_of(a.out, y)[x * a.out.channels + c] = sample_at(a.in, site, c, a.border[c]);
}

void launch(const WarpArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 grid = tiles_of(a.out.height, a.out.width, kWarps), block(kTileWidth, kWarps);
    inverse_forgotten<<<grid, block, 0, stream>>>(a);
}
}  // namespace

LANEWORK_RUNG(warp, inverse_forgotten,
              {.lesson = "Never: where pixels go, for where they come from.", .launch = {launch}});
