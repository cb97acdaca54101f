// The input through a texture over its rows, which neighbouring threads read along a slanted line: a sample is asked
// for by its place, and the texture unit computes the address. It reads through the same cache as loads do.
#include "ops/warp/tiles.hpp"
#include "src/pixels/row_texture.hpp"

namespace {
template <class T, class Fraction>
__device__ T fetch_sample(const RowTexture<T>& texture, const ImageView<const T>& in, const Site<Fraction>& site,
                          int channel, T border) {
    if (is_outside(in, site)) return border;
    const auto at = [&](std::int64_t y, std::int64_t x) {
        if (x < 0 || x >= in.width || y < 0 || y >= in.height) return border;
        return texture.at(y, x * in.channels + channel);
    };
    const std::int64_t y = site.y, x = site.x;
    return blend(Taps<T>{at(y, x), at(y, x + 1), at(y + 1, x), at(y + 1, x + 1)}, site.right, site.down);
}

template <class Number, class T>
__global__ void texture(WarpArgs<T> a, RowTexture<T> in) {
    const std::int64_t x = std::int64_t{blockIdx.x} * kTileWidth + threadIdx.x;
    if (x >= a.out.width) return;
    for (std::int64_t y = std::int64_t{blockIdx.y} * kWarps + threadIdx.y; y < a.out.height;
         y += std::int64_t{gridDim.y} * kWarps) {
        const auto site = site_of(column_terms<Number>(a.to_in, x), row_terms<Number>(a.to_in, y));
        T* out = row_of(a.out, y) + x * a.out.channels;
        for (int c = 0; c < a.out.channels; ++c) out[c] = fetch_sample(in, a.in, site, c, a.border[c]);
    }
}

template <class T>
bool has_pixels(const WarpArgs<T>& a) {
    return a.in.height > 0 && a.in.width > 0;
}

template <class T>
void launch(const WarpArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const auto* const prepared = static_cast<const PreparedRowTexture<T>*>(a.prepared);
    const RowTexture<T> in = prepared ? prepared->texture() : RowTexture<T>();
    const dim3 grid = tiles_of(a.out.height, a.out.width, kWarps), block(kTileWidth, kWarps);
    if (a.convention == Convention::floating)
        texture<double><<<grid, block, 0, stream>>>(a, in);
    else
        texture<std::int64_t><<<grid, block, 0, stream>>>(a, in);
}

template <class T>
PreparedOwner prepare(const WarpArgs<T>& a, cudaStream_t) {
    return !has_pixels(a) ? PreparedOwner() : PreparedOwner(new PreparedRowTexture<T>(a.in));
}

template <class T>
bool fits(const WarpArgs<T>& a) {
    return !has_pixels(a) || fits_row_texture(a.in);
}
}  // namespace

LANEWORK_RUNG(warp, texture,
              {
                  .climbs_from = "naive",
                  .lesson = "Samples by their place through a texture: no addresses to compute, the same cache.",
                  .launch = {launch<std::uint8_t>, launch<float>},
                  .prepare = {prepare<std::uint8_t>, prepare<float>},
                  .fits = {fits<std::uint8_t>, fits<float>},
                  .only = "images whose rows are a multiple of 32 bytes apart, and few enough for a texture",
              });
