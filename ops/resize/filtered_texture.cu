// The texture unit blends: one fetch a pixel takes the place of four loads, two weights and six products a channel. Its
// fractions have 8 bits, those of the conventions 11 and 24: a result is off by up to two levels of 255, so that it is
// no answer of the operation's, and the chooser never takes it. A pixel has to be an element of the texture, which
// those of three channels are not.
#include "ops/resize/grid.cuh"
#include "src/pixels/filtered_texture.hpp"

namespace {
constexpr int kCols = 32, kRows = 8;

/// Where the tap lies. At an edge both of its pixels are one.
__device__ float place_of(const Tap& tap) {
    return static_cast<float>(tap.first) + (tap.second > tap.first ? tap.fraction : 0.0F);
}

template <Convention convention, int channels>
__global__ void filtered_texture(const ResizeArgs<std::uint8_t> a, cudaTextureObject_t in) {
    const ResizePair<std::uint8_t> pair = pair_of<convention>(a, 0);
    const std::int64_t x = std::int64_t{blockIdx.x} * kCols + threadIdx.x;
    if (x >= pair.out.width) return;
    const float across = place_of(column_tap<convention>(pair.columns, x));
    for (std::int64_t y = std::int64_t{blockIdx.y} * kRows + threadIdx.y; y < pair.out.height;
         y += std::int64_t{gridDim.y} * kRows)
        write_filtered<channels>(in, across, place_of(row_tap<convention>(pair.rows, y)),
                                 row_of(pair.out, y) + x * channels);
}

void launch(const ResizeArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const cudaTextureObject_t in = static_cast<const PreparedFilteredTexture*>(a.prepared)->object();
    const dim3 grid = resize_grid(a, kCols, kRows);
    with_convention(a.convention, [&]<Convention convention>() {
        if (a.in.channels == 1)
            filtered_texture<convention, 1><<<grid, dim3(kCols, kRows), 0, stream>>>(a, in);
        else
            filtered_texture<convention, 4><<<grid, dim3(kCols, kRows), 0, stream>>>(a, in);
    });
}

PreparedOwner prepare(const ResizeArgs<std::uint8_t>& a, cudaStream_t) {
    return a.empty() ? PreparedOwner() : PreparedOwner(new PreparedFilteredTexture(image_of(a.in, 0)));
}

bool fits(const ResizeArgs<std::uint8_t>& a) {
    if (a.in.count != 1) return false;
    if (a.empty()) return true;
    const auto out = image_of(a.out, 0);
    const bool is_aligned = out.pitch % 4 == 0 && reinterpret_cast<std::uintptr_t>(out.pixels) % 4 == 0;
    return (out.channels == 1 || is_aligned) && fits_filtered_texture(image_of(a.in, 0));
}
}  // namespace

LANEWORK_RUNG(
    resize, filtered_texture,
    {
        .climbs_from = "texture",
        .lesson = "The texture unit blends: one fetch a pixel, whose fractions have 8 bits.",
        .launch = launch,
        .prepare = prepare,
        .fits = fits,
        .only = "one image of 1 or 4 channels of bytes, its sides up to 4096 pixels, its rows a multiple of 32 bytes "
                "apart, at a multiple of 512 bytes",
        .deviation = kFilteredDeviation,
    });
