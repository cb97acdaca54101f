// A position is a part of its column's plus a part of its row's: a block computes those of a tile once, in shared
// memory, and a pixel is left with two additions. Where all four taps are inside, one test serves all channels.
#include "ops/warp/tiles.hpp"

namespace {
template <int channels, class Number, class T>
__global__ void staged_terms(WarpArgs<T> a) {
    __shared__ TileTerms<Number> terms;
    for_each_site(a, terms, [&](std::int64_t y, std::int64_t x, const auto& site) {
        if (x >= a.out.width) return;
        T* out = row_of(a.out, y) + x * channels;
        const auto pixel = pixel_of<channels>(a.in, site, a.border);
        for (int c = 0; c < channels; ++c) out[c] = pixel[c];
    });
}

template <class T>
void launch(const WarpArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 grid = tiles_of(a.out.height, a.out.width, kTileHeight), block(kTileWidth, kWarps);
    with_channels(a.out.channels, [&]<int channels>() {
        with_positions(a, [&]<class Number>() { staged_terms<channels, Number><<<grid, block, 0, stream>>>(a); });
    });
}
}  // namespace

LANEWORK_RUNG(warp, staged_terms,
              {
                  .climbs_from = "naive",
                  .lesson = "Compute what a column and a row contribute once for a tile, and test a pixel once.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
// mends: instruction_bound
