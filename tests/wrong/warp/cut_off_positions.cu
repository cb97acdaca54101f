// expect: wrong — the half that rounds a position to 2⁻⁵ pixels is left out: every position is cut off instead
// says: where the reference has
#include "ops/warp/tiles.hpp"

namespace {
template <int channels>
__global__ void cut_off_positions(WarpArgs<std::uint8_t> a) {
    const std::int64_t x = std::int64_t{blockIdx.x} * kTileWidth + threadIdx.x,
                       y = std::int64_t{blockIdx.y} * kWarps + threadIdx.y;
    if (x >= a.out.width || y >= a.out.height) return;
    auto row = row_terms<std::int64_t>(a.to_in, y);
    row.x -= 1 << (kPositionBits - kFractionBits - 1);  // keeping the half would be right
    row.y -= 1 << (kPositionBits - kFractionBits - 1);
    const auto pixel = pixel_of<channels>(a.in, site_of(column_terms<std::int64_t>(a.to_in, x), row), a.border);
    for (int c = 0; c < channels; ++c) row_of(a.out, y)[x * channels + c] = pixel[c];
}

void launch(const WarpArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 grid = tiles_of(a.out.height, a.out.width, kWarps), block(kTileWidth, kWarps);
    with_channels(a.out.channels, [&]<int channels>() { cut_off_positions<channels><<<grid, block, 0, stream>>>(a); });
}
}  // namespace

LANEWORK_RUNG(warp, cut_off_positions,
              {.lesson = "Never: a picture that is shifted by a 64th of a pixel.", .launch = {launch}});
