// How an image is fitted into another size, in whole pixels, and the way back: the one definition for every device.
#pragma once

#include <lanework/image_view.hpp>

namespace lanework::inline LANEWORK_ON_DEVICE {

/// side · numerator / denominator, rounded half up, from 1 to `most`. All are positive and below 2³¹.
constexpr std::int64_t scaled_side(std::int64_t side, std::int64_t numerator, std::int64_t denominator,
                                   std::int64_t most) {
    // 2·side·numerator + denominator stays below 2⁶³
    const std::int64_t rounded = (2 * side * numerator + denominator) / (2 * denominator);
    return rounded < 1 ? 1 : rounded > most ? most : rounded;
}

/// fit_image() of the public header. An image or output without pixels has no place: all four are 0.
constexpr FittedImage fitted(std::int64_t height, std::int64_t width, std::int64_t out_height, std::int64_t out_width,
                             Fit fit, bool scale_up) {
    if (height <= 0 || width <= 0 || out_height <= 0 || out_width <= 0) return {};
    if (fit == Fit::stretch) return {0, 0, out_height, out_width};
    FittedImage place{0, 0, height, width};
    if (scale_up || height > out_height || width > out_width) {
        const bool width_decides = out_width * height <= out_height * width;
        place.height = width_decides ? scaled_side(height, out_width, width, out_height) : out_height;
        place.width = width_decides ? out_width : scaled_side(width, out_height, height, out_width);
    }
    if (fit == Fit::centred) {  // an odd pixel of padding lies below and on the right
        place.top = (out_height - place.height) / 2;
        place.left = (out_width - place.width) / 2;
    }
    return place;
}

/// to_source() of the public header. Where there is no place, all coordinates become 0.
constexpr Affine source_transform(const FittedImage& place, std::int64_t height, std::int64_t width) {
    if (place.height == 0 || place.width == 0) return {{{{0, 0, 0}, {0, 0, 0}}}};
    const double x = static_cast<double>(width) / static_cast<double>(place.width);
    const double y = static_cast<double>(height) / static_cast<double>(place.height);
    return {{{{x, 0, 0.0 - static_cast<double>(place.left) * x}, {0, y, 0.0 - static_cast<double>(place.top) * y}}}};
}

/// Number by number: no more is known of where a transform lies than that a double may lie there.
constexpr void store_transform(Affine& to, const Affine& from) {
    for (std::size_t row = 0; row < 2; ++row)
        for (std::size_t column = 0; column < 3; ++column) to.m[row][column] = from.m[row][column];
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
