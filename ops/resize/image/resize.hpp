// Resizing as a step that other operations may take: a letterboxed plane of a video is a resized one with a pad.
#pragma once

#include "src/pixels/image_operation.hpp"

namespace lanework {

struct ResizePicture {
    WantedSize size;
    Convention convention = Convention::opencv;
};

}  // namespace lanework

extern const lanework::ImageOperation lanework_image_operation_resize;
