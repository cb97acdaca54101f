// How much room text takes in a picture, before a viewer has chosen its letters.
#pragma once

#include <algorithm>
#include <string_view>

#include "src/draw/style.hpp"

namespace lanework {

/// About how wide bold letters of a size are, in pixels; rather too much than too little.
inline double text_width(std::string_view text, double size) {
    constexpr double kLetter = 0.62;  // of its size
    return kLetter * size * static_cast<double>(display_width(text));
}

/// The size, or the smaller one at which the text is no wider than `room`.
inline double fitting_size(std::string_view text, double room, double size) {
    return std::min(size, size * room / std::max(1.0, text_width(text, size)));
}

}  // namespace lanework
