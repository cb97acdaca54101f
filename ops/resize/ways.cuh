// What a rung does with images that are not of its kind: what the rung does that it climbs from. Each of these is
// compiled once, in that rung's file.
#pragma once

#include "ops/resize/strip.cuh"
#include "src/pixels/words.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

template <class T>
void resize_by_words(const ResizeArgs<T>& a, cudaStream_t stream);  ///< word_pairs.cu
template <class T>
void resize_by_halves(const ResizeArgs<T>& a, cudaStream_t stream);  ///< wide_halves.cu
template <class T>
void resize_by_tiles(const ResizeArgs<T>& a, cudaStream_t stream);  ///< copied_tile.cu
template <class T>
void resize_by_pixels(const ResizeArgs<T>& a, cudaStream_t stream);  ///< lone_pixels.cu
template <class T>
void resize_by_doubles(const ResizeArgs<T>& a, cudaStream_t stream);  ///< wide_doubles.cu
template <class T>
void resize_by_thirds(const ResizeArgs<T>& a, cudaStream_t stream);  ///< wide_thirds.cu

/// Whether it is a single image that becomes exactly half as high and wide, with rows that begin at vectors.
inline bool has_wide_half(const ResizeArgs<std::uint8_t>& a) {
    if (is_batch(a) || !only_maps(a).half) return false;
    const auto in = reinterpret_cast<std::uintptr_t>(a.in.base) + static_cast<std::uintptr_t>(a.in.only.offset);
    const auto out = reinterpret_cast<std::uintptr_t>(a.out.base) + static_cast<std::uintptr_t>(a.out.only.offset);
    return (in | static_cast<std::uintptr_t>(a.in.only.pitch)) % sizeof(uint4) == 0 &&
           (out | static_cast<std::uintptr_t>(a.out.only.pitch)) % sizeof(uint2) == 0;
}

/// Whether every row begins and ends at a word: no word that holds a sample of a row holds anything else.
inline bool has_word_rows(const ImageView<const std::uint8_t>& image) {
    return (reinterpret_cast<std::uintptr_t>(image.pixels) | static_cast<std::uintptr_t>(image.pitch) |
            static_cast<std::uintptr_t>(image.width * image.channels)) %
               kWordBytes ==
           0;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
