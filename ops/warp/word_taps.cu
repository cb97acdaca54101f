// Twelve bytes are twelve loads, but six aligned words hold them wherever they begin: funnel shifts bring them into
// place, and a dot product of bytes weighs two neighbours in one instruction. Floats come and go as vectors of four.
#include "ops/warp/pixels.hpp"

namespace {
template <int channels, class Number>
__global__ void word_taps(WarpArgs<std::uint8_t> a) {
    __shared__ TileTerms<Number> terms;
    for_each_site(a, terms, [&](std::int64_t y, std::int64_t x, const auto& site) {
        if (x >= a.out.width) return;
        const std::uint32_t pixel = packed_pixel<channels>(a, site);
        std::uint8_t* out = row_of(a.out, y) + x * channels;
        for (int c = 0; c < channels; ++c) out[c] = static_cast<std::uint8_t>(pixel >> (8 * c));
    });
}

template <int channels, class Number>
__global__ void samples(WarpArgs<float> a) {
    __shared__ TileTerms<Number> terms;
    for_each_site(a, terms, [&](std::int64_t y, std::int64_t x, const auto& site) {
        if (x >= a.out.width) return;
        const auto pixel = pixel_of<channels>(a.in, site, a.border);
        float* out = row_of(a.out, y) + x * channels;
        if (channels == 4 && reinterpret_cast<std::uintptr_t>(out) % sizeof(float4) == 0)
            *reinterpret_cast<float4*>(out) =
                make_float4(pixel[0], pixel[1 % channels], pixel[2 % channels], pixel[3 % channels]);
        else
            for (int c = 0; c < channels; ++c) out[c] = pixel[c];
    });
}

template <class T>
void launch(const WarpArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 grid = tiles_of(a.out.height, a.out.width, kTileHeight), block(kTileWidth, kWarps);
    with_channels(a.out.channels, [&]<int channels>() {
        with_positions(a, [&]<class Number>() {
            if constexpr (sizeof(T) == 1)
                word_taps<channels, Number><<<grid, block, 0, stream>>>(a);
            else
                samples<channels, Number><<<grid, block, 0, stream>>>(a);
        });
    });
}
}  // namespace

LANEWORK_RUNG(warp, word_taps,
              {
                  .climbs_from = "staged_terms",
                  .lesson = "Load neighbouring pixels as aligned words, and weigh bytes with dot products.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
// mends: narrow_vectors, instruction_bound
