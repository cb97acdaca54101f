// How the candidates of all images are laid out over blocks.
#pragma once

#include "ops/decode/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kDecodeBlock = 128;
constexpr std::int64_t kMostImagesInGrid = 32'768;

/// Blocks of `candidates` in x, images in y.
inline dim3 decode_grid(const DecodeArgs& a, std::int64_t candidates) {
    return dim3(static_cast<unsigned>(ceil_div(a.n, candidates)),
                static_cast<unsigned>(a.images < kMostImagesInGrid ? a.images : kMostImagesInGrid));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
