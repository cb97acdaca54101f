// What becomes of the channels of a source: the plane of each, its normalisation and its padding, worked out once for
// all pixels.
#pragma once

#include "ops/tensor/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

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
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
