// What the operations on matrices say of rungs that know of no pitch, as their `.only`.
#pragma once

#include <string_view>

namespace lanework {

inline constexpr std::string_view kRowsTouch = "matrices with nothing between their rows";

}  // namespace lanework
