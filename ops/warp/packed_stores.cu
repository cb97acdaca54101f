// A warp's row of 32 pixels leaves in whole words: where a pixel is three bytes, each lane asks two neighbours for what
// its word holds. Rows that begin at no multiple of four bytes are stored byte by byte.
#include "ops/warp/pixels.hpp"

namespace {
constexpr unsigned kAllLanes = 0xFFFFFFFFu;

/// Stores the row of pixels that a warp holds, where its 32 pixels are all of the output.
template <int channels>
__device__ void store_whole_row(std::uint8_t* first, std::uint32_t pixel, unsigned lane) {
    if constexpr (channels == 4) {
        reinterpret_cast<std::uint32_t*>(first)[lane] = pixel;
    } else {  // word `lane` begins `beyond` bytes after the begin of a pixel and ends in the next
        const unsigned source = 4 * lane / 3, beyond = 4 * lane % 3;
        const std::uint32_t left = __shfl_sync(kAllLanes, pixel, static_cast<int>(source % 32));
        const std::uint32_t right = __shfl_sync(kAllLanes, pixel, static_cast<int>((source + 1) % 32));
        if (lane < 24)
            reinterpret_cast<std::uint32_t*>(first)[lane] = left >> (8 * beyond) | right << (24 - 8 * beyond);
    }
}

template <int channels, class Number>
__global__ void packed_stores(WarpArgs<std::uint8_t> a) {
    __shared__ TileTerms<Number> terms;
    const std::int64_t left = std::int64_t{blockIdx.x} * kTileWidth;
    const bool is_whole = channels > 1 && left + kTileWidth <= a.out.width;
    for_each_site(a, terms, [&](std::int64_t y, std::int64_t x, const auto& site) {
        const std::uint32_t pixel = x < a.out.width ? packed_pixel<channels>(a, site) : 0;
        std::uint8_t* first = row_of(a.out, y) + left * channels;
        if constexpr (channels > 1)
            if (is_whole && reinterpret_cast<std::uintptr_t>(first) % sizeof pixel == 0)
                return store_whole_row<channels>(first, pixel, threadIdx.x);
        if (x >= a.out.width) return;
        std::uint8_t* out = first + threadIdx.x * channels;
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
                packed_stores<channels, Number><<<grid, block, 0, stream>>>(a);
            else
                samples<channels, Number><<<grid, block, 0, stream>>>(a);
        });
    });
}
}  // namespace

LANEWORK_RUNG(warp, packed_stores,
              {
                  .climbs_from = "word_taps",
                  .lesson = "Let the lanes of a warp put their pixels together, and store words of four bytes.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
