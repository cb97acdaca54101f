// The input through a texture over its rows: a sample is asked for by its place, and the texture unit computes the
// address. It reads through the same cache as loads do. Its filter is not used here: filtered_texture does.
#include "ops/resize/grid.cuh"
#include "src/pixels/row_texture.hpp"

namespace {
constexpr int kCols = 32, kRows = 8;

template <class Arithmetic, class T>
__device__ T fetch_blended(const RowTexture<T>& in, const Tap& row, const Tap& column, int channels, int channel) {
    const auto across = Arithmetic::weights(column);
    const std::int64_t left = std::int64_t{column.first} * channels + channel;
    const std::int64_t right = std::int64_t{column.second} * channels + channel;
    return Arithmetic::down(Arithmetic::along(in.at(row.first, left), in.at(row.first, right), across),
                            Arithmetic::along(in.at(row.second, left), in.at(row.second, right), across),
                            Arithmetic::weights(row));
}

template <Convention convention, class T>
__global__ void texture(const ResizeArgs<T> a, const RowTexture<T> in) {
    const ResizePair<T> pair = pair_of<convention>(a, 0);
    const std::int64_t x = std::int64_t{blockIdx.x} * kCols + threadIdx.x;
    if (x >= pair.out.width) return;
    const Tap column = column_tap<convention>(pair.columns, x);
    for (std::int64_t y = std::int64_t{blockIdx.y} * kRows + threadIdx.y; y < pair.out.height;
         y += std::int64_t{gridDim.y} * kRows) {
        const Tap row = row_tap<convention>(pair.rows, y);
        T* out = row_of(pair.out, y) + x * pair.out.channels;
        for (int channel = 0; channel < pair.out.channels; ++channel)
            out[channel] = pair.half
                               ? fetch_blended<HalfMean<T>>(in, row, column, pair.in.channels, channel)
                               : fetch_blended<Bilinear<T, convention>>(in, row, column, pair.in.channels, channel);
    }
}

template <class T>
void launch(const ResizeArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const RowTexture<T>& in = static_cast<const PreparedRowTexture<T>*>(a.prepared)->texture();
    const dim3 grid = resize_grid(a, kCols, kRows);
    with_convention(a.convention, [&]<Convention convention>() {
        texture<convention><<<grid, dim3(kCols, kRows), 0, stream>>>(a, in);
    });
}

template <class T>
PreparedOwner prepare(const ResizeArgs<T>& a, cudaStream_t) {
    return a.empty() ? PreparedOwner() : PreparedOwner(new PreparedRowTexture<T>(image_of(a.in, 0)));
}

template <class T>
bool fits(const ResizeArgs<T>& a) {
    return a.in.count == 1 && (a.empty() || fits_row_texture(image_of(a.in, 0)));
}
}  // namespace

LANEWORK_RUNG(resize, texture,
              {
                  .climbs_from = "naive",
                  .lesson = "Samples by their place through a texture: no addresses to compute, the same cache.",
                  .launch = {launch<std::uint8_t>, launch<float>},
                  .prepare = {prepare<std::uint8_t>, prepare<float>},
                  .fits = {fits<std::uint8_t>, fits<float>},
                  .only = "one image whose rows are a multiple of 32 bytes apart, and few enough for a texture",
              });
