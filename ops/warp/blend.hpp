// Four taps and a site become one sample: the arithmetic of docs/image-arithmetic.md that all rungs share.
#pragma once

#include "ops/warp/sites.hpp"
#include "src/pixels/rows.hpp"
#include "src/pixels/run_time_choice.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// The samples at (y, x), (y, x + 1), (y + 1, x) and (y + 1, x + 1).
template <class T>
struct Taps {
    T top_left, top_right, bottom_left, bottom_right;
};

/// Neither of the rows or neither of the columns belongs to the image.
template <class T, class Fraction>
constexpr bool is_outside(const ImageView<const T>& in, const Site<Fraction>& site) {
    return site.x < -1 || site.x >= in.width || site.y < -1 || site.y >= in.height;
}
/// All four pixels belong to the image, and so do `more` columns before and after them.
template <class T, class Fraction>
constexpr bool is_inside(const ImageView<const T>& in, const Site<Fraction>& site, int more = 0) {
    return site.x >= more && site.x < in.width - 1 - more && site.y >= 0 && site.y < in.height - 1;
}

/// The taps of a channel; a pixel beyond the image has the border's value.
template <class T, class Fraction>
constexpr Taps<T> taps_of(const ImageView<const T>& in, const Site<Fraction>& site, int channel, T border) {
    const auto at = [&](std::int64_t y, std::int64_t x) {
        if (x < 0 || x >= in.width || y < 0 || y >= in.height) return border;
        return row_of(in, y)[x * in.channels + channel];
    };
    const std::int64_t y = site.y, x = site.x;
    return {at(y, x), at(y, x + 1), at(y + 1, x), at(y + 1, x + 1)};
}
/// The same where the site is inside: `row` is row y, `sample` the place of (y, x) in it.
template <class T>
constexpr Taps<T> taps_at(const T* row, std::int64_t pitch, std::int64_t sample, int channels) {
    const T* below = bytes_after(row, pitch);
    return {row[sample], row[sample + channels], below[sample], below[sample + channels]};
}

/// 8-bit samples in the convention opencv. Its weights in 2⁻¹⁵ are products of fractions in 2⁻⁵, so that each is a
/// multiple of 2⁻¹⁰, which leaves 18 bits. (One weight of 2¹⁵ does not fit into OpenCV's 16 bits; the unit that it
/// puts elsewhere never changes the result.)
constexpr std::uint8_t blend(const Taps<std::uint8_t>& taps, std::int32_t right, std::int32_t down) {
    const std::int32_t top = taps.top_left * (kFractions - right) + taps.top_right * right;
    const std::int32_t bottom = taps.bottom_left * (kFractions - right) + taps.bottom_right * right;
    return static_cast<std::uint8_t>((top * (kFractions - down) + bottom * down + kFractions * kFractions / 2) >>
                                     (2 * kFractionBits));
}

/// Everything else is summed in float, from the first tap to the last.
constexpr float blend_floats(const Taps<float>& taps, float right, float down) {
    const float left = 1.0F - right, up = 1.0F - down;
    return taps.top_left * (up * left) + taps.top_right * (up * right) + taps.bottom_left * (down * left) +
           taps.bottom_right * (down * right);
}
constexpr float blend(const Taps<float>& taps, float right, float down) { return blend_floats(taps, right, down); }
constexpr float blend(const Taps<float>& taps, std::int32_t right, std::int32_t down) {
    constexpr float kFraction = 1.0F / kFractions;
    return blend_floats(taps, static_cast<float>(right) * kFraction, static_cast<float>(down) * kFraction);
}
constexpr std::uint8_t blend(const Taps<std::uint8_t>& taps, float right, float down) {
    const auto widened = [](std::uint8_t sample) { return static_cast<float>(sample); };
    return to_sample(blend_floats(
        {widened(taps.top_left), widened(taps.top_right), widened(taps.bottom_left), widened(taps.bottom_right)}, right,
        down));
}

/// One output sample, wherever its site lies.
template <class T, class Fraction>
constexpr T sample_at(const ImageView<const T>& in, const Site<Fraction>& site, int channel, T border) {
    if (is_outside(in, site)) return border;
    return blend(taps_of(in, site, channel, border), site.right, site.down);
}

/// All samples of an output pixel: one test serves them where the site is inside.
template <int channels, class T, class Fraction>
constexpr std::array<T, channels> pixel_of(const ImageView<const T>& in, const Site<Fraction>& site,
                                           const std::array<T, 4>& border) {
    std::array<T, channels> pixel{};
    if (is_inside(in, site)) {
        const T* row = row_of(in, site.y);
        const std::int64_t first = std::int64_t{site.x} * channels;
        for (int c = 0; c < channels; ++c)
            pixel[c] = blend(taps_at(row, in.pitch, first + c, channels), site.right, site.down);
    } else {
        for (int c = 0; c < channels; ++c) pixel[c] = sample_at(in, site, c, border[c]);
    }
    return pixel;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
