// Affine transforms as numbers: determinant and inverse, in the order of operations that OpenCV's warpAffine has.
#pragma once

#include <cstddef>
#include <lanework/image_view.hpp>

namespace lanework::inline LANEWORK_ON_DEVICE {

/// First `first`, then `second`.
constexpr Affine both(const Affine& second, const Affine& first) {
    Affine product;
    for (std::size_t row = 0; row < 2; ++row) {
        for (std::size_t column = 0; column < 3; ++column)
            product.m[row][column] = second.m[row][0] * first.m[0][column] + second.m[row][1] * first.m[1][column];
        product.m[row][2] += second.m[row][2];
    }
    return product;
}

constexpr double determinant(const Affine& a) { return a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0]; }

/// The inverse of one that has a determinant, equal to OpenCV's to the bit.
constexpr Affine inverse_of(const Affine& a) {
    const double reciprocal = 1.0 / determinant(a);
    const double xx = a.m[1][1] * reciprocal, xy = a.m[0][1] * -reciprocal;
    const double yx = a.m[1][0] * -reciprocal, yy = a.m[0][0] * reciprocal;
    const double x = a.m[0][2], y = a.m[1][2];
    return {{{{xx, xy, -xx * x - xy * y}, {yx, yy, -yx * x - yy * y}}}};
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
