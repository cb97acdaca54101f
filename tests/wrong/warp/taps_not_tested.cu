// expect: wrong — a position is tested, its neighbour is not: the last row and column are followed into other memory
// says: where the reference has
// finding: out_of_bounds at line 18
#include "ops/warp/tiles.hpp"

namespace {
__global__ void taps_not_tested(WarpArgs<std::uint8_t> a) {
    const std::int64_t x = std::int64_t{blockIdx.x} * kTileWidth + threadIdx.x,
                       y = std::int64_t{blockIdx.y} * kWarps + threadIdx.y;
    if (x >= a.out.width || y >= a.out.height) return;
    const auto site = site_of(column_terms<std::int64_t>(a.to_in, x), row_terms<std::int64_t>(a.to_in, y));
    const bool is_there = site.x >= 0 && site.x < a.in.width && site.y >= 0 && site.y < a.in.height;
    for (int c = 0; c < a.in.channels; ++c) {
        std::uint8_t sample = a.border[c];
        if (is_there) {  // is_inside(a.in, site) would be right
            const std::uint8_t* tap = row_of(a.in, site.y) + site.x * a.in.channels + c;
            const std::uint8_t* next = tap + a.in.channels;
            sample = blend(Taps<std::uint8_t>{*tap, *next, tap[a.in.pitch], next[a.in.pitch]}, site.right, site.down);
        }
        row_of(a.out, y)[x * a.out.channels + c] = sample;
    }
}

void launch(const WarpArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 grid = tiles_of(a.out.height, a.out.width, kWarps), block(kTileWidth, kWarps);
    taps_not_tested<<<grid, block, 0, stream>>>(a);
}
}  // namespace

LANEWORK_RUNG(warp, taps_not_tested, {.lesson = "Never: a test of one pixel for four.", .launch = {launch}});
