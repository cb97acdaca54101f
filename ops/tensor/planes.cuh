// Storing pixels into the planes of a tensor, normalised.
#pragma once

#include <cuda_fp16.h>

#include "ops/tensor/planes.hpp"
#include "src/pixels/fitted_tile.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

__device__ inline void store_element(float* to, float value) { *to = value; }
__device__ inline void store_element(float16* to, float value) {
    *reinterpret_cast<__half*>(to) = __float2half_rn(value);
}

/// `to` is the pixel's element of the image's first plane.
template <int channels, class W, class Out>
__device__ void store(const Planes& planes, Out* to, const MixedPixel<W, channels>& pixel) {
#pragma unroll
    for (int c = 0; c < channels; ++c)
        store_element(to + planes.begin[c],
                      pixel.padding ? planes.padding[c]
                                    : static_cast<float>(pixel.mixed[c]) * planes.factor[c] + planes.offset[c]);
}

/// All tiles of a block.
template <class In, Convention convention, int channels, int strip, class Out>
__device__ void write_tiles(const TensorArgs<Out>& a, const Planes& planes) {
    visit_tiles<In, convention, strip>(
        a.template images<In>(), a.out.height, a.out.width, a.options.letterbox, a.to_source,
        [&](const FittedTile<In, convention, strip>& tile, std::int64_t k, std::int64_t first_row) {
            Out* next = a.out.data + k * channels * a.plane() + first_row * a.out.width + column_of_thread();
            const std::int64_t width = a.out.width;
            walk_tile<channels>(tile, first_row, a.out.height, width,
                                [&](std::int64_t, std::int64_t, bool inside, const auto& pixel) {
                                    if (inside) store(planes, next, pixel);
                                    next += width;  // rows come in their order
                                });
        });
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
