// What becomes of a pixel's channels: the plane of each, its normalisation and its padding, worked out on the host.
#pragma once

#include <cuda_fp16.h>

#include "ops/tensor/operation.hpp"
#include "src/image/fitted_tile.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

__device__ inline void store_element(float* to, float value) { *to = value; }
__device__ inline void store_element(float16* to, float value) {
    *reinterpret_cast<__half*>(to) = __float2half_rn(value);
}

/// For each channel of the source.
struct Planes {
    float factor[4], offset[4], padding[4];
    std::int64_t begin[4];  ///< elements from an image's first to the plane's

    template <class Out>
    static Planes of(const TensorArgs<Out>& a) {
        const Normalisation normalised = Normalisation::of(a.options);
        Planes planes{};
        for (int c = 0; c < a.out.channels; ++c) {
            const int from = a.source_channel(c);
            planes.factor[from] = normalised.factor[c];
            planes.offset[from] = normalised.offset[c];
            planes.padding[from] = normalised.element(c, a.options.letterbox.pad[static_cast<std::size_t>(from)]);
            planes.begin[from] = c * a.plane();
        }
        return planes;
    }
    /// `to` is the pixel's element of the image's first plane.
    template <int channels, class W, class Out>
    __device__ void store(Out* to, const MixedPixel<W, channels>& pixel) const {
#pragma unroll
        for (int c = 0; c < channels; ++c)
            store_element(to + begin[c],
                          pixel.padding ? padding[c] : static_cast<float>(pixel.mixed[c]) * factor[c] + offset[c]);
    }
};

/// The columns of a tile, loaded in one way or another.
template <class Loader, class In, Convention convention, int channels, class Out>
__device__ void write_tiles(const TensorArgs<Out>& a, const Planes& planes) {
    visit_tiles<In, convention>(a.template images<In>(), a.out.height, a.out.width, a.options.letterbox, a.to_source,
                                [&](const FittedTile<In, convention>& tile, std::int64_t k, std::int64_t first_row) {
                                    Out* const out = a.out.data + k * channels * a.plane();
                                    walk_tile<Loader, channels>(
                                        tile, first_row, a.out.height, a.out.width,
                                        [&](std::int64_t y, std::int64_t x, bool inside, const auto& pixel) {
                                            if (inside) planes.store(out + y * a.out.width + x, pixel);
                                        });
                                });
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
