// The border of images: reflect-101, gfedcb|abcdefgh|gfedcba. The outermost pixel is not repeated, and a single pixel
// is its own neighbour. It is OpenCV's default.
#pragma once

namespace lanework {

/// Where index −1 … length is found; length ≥ 1.
template <class Index>
constexpr Index reflect(Index index, Index length) {
    if (length == 1) return 0;
    return index < 0 ? -index : index >= length ? 2 * length - 2 - index : index;
}

/// a + 2·b + c, as every 3×3 window here sums: floats in this order.
template <class Number>
constexpr Number smooth(Number a, Number b, Number c) {
    return (a + c) + (b + b);
}

}  // namespace lanework
