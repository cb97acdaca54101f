// What a rung does with images that are not of its kind: what the rung does that it climbs from. Each of these is
// compiled once, in that rung's file.
#pragma once

#include "ops/resize/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

template <class T>
void resize_by_words(const ResizeArgs<T>& a, cudaStream_t stream);  ///< word_pairs.cu
template <class T>
void resize_by_halves(const ResizeArgs<T>& a, cudaStream_t stream);  ///< wide_halves.cu
template <class T>
void resize_by_tiles(const ResizeArgs<T>& a, cudaStream_t stream);  ///< copied_tile.cu

}  // namespace lanework::inline LANEWORK_ON_DEVICE
