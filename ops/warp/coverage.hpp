// Which part of its input an affine transform needs: what any device must read.
#pragma once

#include <cstdint>
#include <lanework/image_view.hpp>

namespace lanework {

/// Pixels of the input that an output of this size cannot be computed without; an estimate from below: the area that
/// both have in common, or four pixels for each output pixel where that is less. Shapes in pixels.
std::uint64_t pixels_needed(const Affine& affine, std::int64_t height, std::int64_t width, std::int64_t out_height,
                            std::int64_t out_width);

}  // namespace lanework
