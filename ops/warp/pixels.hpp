// Pixels of bytes in words: two neighbours are loaded as whole aligned words, and a dot product of bytes weighs them.
#pragma once

#include "ops/warp/tiles.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Columns before and after a site that must be in the image, so that the words of its taps are.
inline constexpr int kWordColumns = 2;

/// Eight bytes that begin at any address, of the aligned words around it. Of the last word nothing is needed, and
/// nothing loaded, where the address is aligned.
struct EightBytes {
    std::uint32_t low, high;
};
inline __device__ EightBytes load_bytes(const std::uint8_t* address) {
    const auto beyond = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(address) & 3u);
    const auto* words = reinterpret_cast<const std::uint32_t*>(address - beyond);
    const std::uint32_t first = words[0], second = words[1];
    if (beyond == 0) return {first, second};
    const std::uint32_t third = words[2];
    return {__funnelshift_r(first, second, 8 * beyond), __funnelshift_r(second, third, 8 * beyond)};
}

/// Left and right sample of each channel, weighed: at most 255 · 32.
inline __device__ void weigh_pair(std::uint32_t (&sums)[3], const EightBytes& rgbrgb, unsigned right) {
    const std::uint32_t weights = (kFractions - right) | right << 24;  // of the first and the fourth byte
    sums[0] = __dp4a(rgbrgb.low, weights, 0u);
    sums[1] = __dp4a(__funnelshift_r(rgbrgb.low, rgbrgb.high, 8), weights, 0u);
    sums[2] = __dp4a(__funnelshift_r(rgbrgb.low, rgbrgb.high, 16), weights, 0u);
}
inline __device__ void weigh_pair(std::uint32_t (&sums)[4], const EightBytes& rgba_rgba, unsigned right) {
    const std::uint32_t weights = (kFractions - right) | right << 8;
    const std::uint32_t red_green = __byte_perm(rgba_rgba.low, rgba_rgba.high, 0x5140),
                        blue_alpha = __byte_perm(rgba_rgba.low, rgba_rgba.high, 0x7362);
    sums[0] = __dp4a(red_green, weights, 0u);
    sums[1] = __dp4a(red_green, weights << 16, 0u);
    sums[2] = __dp4a(blue_alpha, weights, 0u);
    sums[3] = __dp4a(blue_alpha, weights << 16, 0u);
}

/// A pixel of three or four bytes in the convention opencv, packed into a word; the site is inside with kWordColumns.
template <int channels>
__device__ std::uint32_t pixel_of_words(const ImageView<const std::uint8_t>& in, const Site<std::int32_t>& site) {
    const std::uint8_t* address = row_of(in, site.y) + std::int64_t{site.x} * channels;
    std::uint32_t top[channels], bottom[channels];
    weigh_pair(top, load_bytes(address), static_cast<unsigned>(site.right));
    weigh_pair(bottom, load_bytes(address + in.pitch), static_cast<unsigned>(site.right));
    const auto down = static_cast<unsigned>(site.down);
    std::uint32_t pixel = 0;
    for (int c = 0; c < channels; ++c) {
        const std::uint32_t sum = top[c] * (kFractions - down) + bottom[c] * down + kFractions * kFractions / 2;
        pixel |= sum >> (2 * kFractionBits) << (8 * c);
    }
    return pixel;
}

/// A pixel of bytes in a word, wherever its site lies.
template <int channels, class Fraction>
__device__ std::uint32_t packed_pixel(const WarpArgs<std::uint8_t>& a, const Site<Fraction>& site) {
    if constexpr (channels > 1 && std::is_integral_v<Fraction>)
        if (is_inside(a.in, site, kWordColumns)) return pixel_of_words<channels>(a.in, site);
    const auto samples = pixel_of<channels>(a.in, site, a.border);
    std::uint32_t pixel = 0;
    for (int c = 0; c < channels; ++c) pixel |= std::uint32_t{samples[c]} << (8 * c);
    return pixel;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
