// Letters of 5 × 7 dots for labels in pictures of pixels: what names of elements, numbers and lengths need.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lanework {

inline constexpr int kLetterColumns = 5, kLetterRows = 7;
inline constexpr std::string_view kAngstrom = "Å";

/// Rows from top to bottom; the highest of five bits is the left column.
using Dots = std::array<std::uint8_t, kLetterRows>;
/// Blank for a letter that is not known.
Dots dots_of(std::string_view letter);

}  // namespace lanework
