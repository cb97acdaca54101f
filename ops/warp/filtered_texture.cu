// The texture unit blends wherever all four pixels are in the image: one fetch takes the place of four loads and six
// products a channel. Its fractions have 8 bits: those of the convention opencv have 5 and stay exact, those of floats
// are rounded. A result is off by up to two levels of 255, so that it is no answer of the operation's, and the chooser
// never takes it. A pixel has to be an element of the texture, which those of three channels are not.
#include "ops/warp/tiles.hpp"
#include "src/pixels/filtered_texture.hpp"

namespace {
__device__ float fraction_of(std::int32_t fraction) { return static_cast<float>(fraction) / kFractions; }
__device__ float fraction_of(float fraction) { return fraction; }

template <class Number, int channels>
__global__ void filtered_texture(WarpArgs<std::uint8_t> a, cudaTextureObject_t in) {
    const std::int64_t x = std::int64_t{blockIdx.x} * kTileWidth + threadIdx.x;
    if (x >= a.out.width) return;
    for (std::int64_t y = std::int64_t{blockIdx.y} * kWarps + threadIdx.y; y < a.out.height;
         y += std::int64_t{gridDim.y} * kWarps) {
        const auto site = site_of(column_terms<Number>(a.to_in, x), row_terms<Number>(a.to_in, y));
        std::uint8_t* const out = row_of(a.out, y) + x * channels;
        if (is_inside(a.in, site)) {
            write_filtered<channels>(in, static_cast<float>(site.x) + fraction_of(site.right),
                                     static_cast<float>(site.y) + fraction_of(site.down), out);
        } else {
            for (int c = 0; c < channels; ++c) out[c] = sample_at(a.in, site, c, a.border[c]);
        }
    }
}

template <class Number>
void launch_in(const WarpArgs<std::uint8_t>& a, cudaTextureObject_t in, cudaStream_t stream) {
    const dim3 grid = tiles_of(a.out.height, a.out.width, kWarps), block(kTileWidth, kWarps);
    if (a.in.channels == 1)
        filtered_texture<Number, 1><<<grid, block, 0, stream>>>(a, in);
    else
        filtered_texture<Number, 4><<<grid, block, 0, stream>>>(a, in);
}

bool has_pixels(const WarpArgs<std::uint8_t>& a) { return a.in.height > 0 && a.in.width > 0; }

void launch(const WarpArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const auto* const prepared = static_cast<const PreparedFilteredTexture*>(a.prepared);
    const cudaTextureObject_t in = prepared ? prepared->object() : 0;
    a.convention == Convention::floating ? launch_in<double>(a, in, stream) : launch_in<std::int64_t>(a, in, stream);
}

PreparedOwner prepare(const WarpArgs<std::uint8_t>& a, cudaStream_t) {
    return !has_pixels(a) ? PreparedOwner() : PreparedOwner(new PreparedFilteredTexture(a.in));
}

bool fits(const WarpArgs<std::uint8_t>& a) {
    const bool is_aligned = a.out.pitch % 4 == 0 && reinterpret_cast<std::uintptr_t>(a.out.pixels) % 4 == 0;
    const bool is_element = a.out.channels == 1 || (a.out.channels == 4 && is_aligned);
    return is_element && (!has_pixels(a) || fits_filtered_texture(a.in));
}
}  // namespace

LANEWORK_RUNG(
    warp, filtered_texture,
    {
        .climbs_from = "texture",
        .lesson = "The texture unit blends: one fetch a pixel, whose fractions have 8 bits.",
        .launch = launch,
        .prepare = prepare,
        .fits = fits,
        .only = "images of 1 or 4 channels of bytes, their sides up to 4096 pixels, their rows a multiple of 32 bytes "
                "apart, at a multiple of 512 bytes",
        .deviation = kFilteredDeviation,
    });
