// A strip of output pixels on its way through the cpu's vector rung: sites, taps and results in tight arrays.
#pragma once

#include <algorithm>
#include <cstring>

#include "ops/warp/blend.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kStrip = 256;  ///< pixels: a multiple of every register's lanes

/// The taps of one row: `pair` for one channel, left and right sample; else `pixels`, left pixel and then right one.
template <class T>
struct StripTaps;
template <>
struct StripTaps<std::uint8_t> {
    alignas(64) std::uint16_t pair[kStrip];
    alignas(64) std::uint64_t pixels[kStrip];
};
template <>
struct StripTaps<float> {
    struct Pair {
        float left, right;
    };
    struct Pixels {
        float samples[8];
    };
    alignas(64) Pair pair[kStrip];
    alignas(64) Pixels pixels[kStrip];
};

/// Fraction is std::uint16_t (2⁻⁵) for bytes in the convention opencv, else float.
template <class T, class Fraction>
struct Strip {
    alignas(64) std::int32_t x[kStrip], y[kStrip];
    alignas(64) Fraction right[kStrip], down[kStrip];
    StripTaps<T> top, bottom;
    alignas(64) std::uint8_t padded[4 * kStrip];  ///< pixels of four bytes on their way to three
    alignas(64) T out[4 * kStrip + 16];           ///< with room for the register after the last pixel
};

/// The sites of `count` pixels, one by one.
template <class T, class Fraction, class Number>
void locate(Strip<T, Fraction>& s, const Terms<Number>* columns, const Terms<Number>& row, int count) {
    for (int i = 0; i < count; ++i) {
        const auto site = site_of(columns[i], row);
        s.x[i] = site.x;
        s.y[i] = site.y;
        constexpr bool in_parts = std::is_integral_v<Number> && std::is_same_v<Fraction, float>;
        s.right[i] = static_cast<Fraction>(site.right);
        s.down[i] = static_cast<Fraction>(site.down);
        if constexpr (in_parts) {
            s.right[i] *= 1.0F / kFractions;
            s.down[i] *= 1.0F / kFractions;
        }
    }
}

/// Where a pixel's two taps of a row are kept.
template <int channels, class T>
T* slot(StripTaps<T>& taps, int pixel) {
    if constexpr (channels == 1)
        return reinterpret_cast<T*>(&taps.pair[pixel]);
    else
        return reinterpret_cast<T*>(&taps.pixels[pixel]);
}

/// The taps of a pixel that is not inside. One that is outside gets the border's value, exactly: its weights are 1, 0,
/// 0 and 0.
template <int channels, class T, class Fraction>
void fetch_at_border(Strip<T, Fraction>& s, const WarpArgs<T>& a, int i) {
    const Site<Fraction> site{s.x[i], s.y[i], s.right[i], s.down[i]};
    if (is_outside(a.in, site)) s.right[i] = s.down[i] = 0;
    T *top = slot<channels>(s.top, i), *bottom = slot<channels>(s.bottom, i);
    for (int c = 0; c < channels; ++c) {
        const Taps<T> taps = taps_of(a.in, site, c, a.border[static_cast<std::size_t>(c)]);
        top[c] = taps.top_left;
        top[channels + c] = taps.top_right;
        bottom[c] = taps.bottom_left;
        bottom[channels + c] = taps.bottom_right;
    }
}

/// Copies the taps of `count` pixels: a whole slot at once, where that is in the row.
template <int channels, class T, class Fraction>
void fetch(Strip<T, Fraction>& s, const WarpArgs<T>& a, int count) {
    constexpr std::size_t kSlot = sizeof(T) * (channels == 1 ? 2 : 8);
    constexpr int kBeyond = channels == 3 ? 1 : 0;  // pixels that a slot reads after the right one
    const auto columns = static_cast<std::uint64_t>(std::max<std::int64_t>(a.in.width - 1 - kBeyond, 0));
    const auto rows = static_cast<std::uint64_t>(std::max<std::int64_t>(a.in.height - 1, 0));
    for (int i = 0; i < count; ++i) {
        const std::int64_t x = s.x[i], y = s.y[i];
        if (static_cast<std::uint64_t>(x) < columns && static_cast<std::uint64_t>(y) < rows) {
            const T* from = row_of(a.in, y) + x * channels;
            std::memcpy(slot<channels>(s.top, i), from, kSlot);
            std::memcpy(slot<channels>(s.bottom, i), bytes_after(from, a.in.pitch), kSlot);
        } else {
            fetch_at_border<channels>(s, a, i);
        }
    }
}

/// One pixel of a strip whose taps are fetched.
template <int channels, class T, class Fraction>
void blend_one(Strip<T, Fraction>& s, int i) {
    const T *top = slot<channels>(s.top, i), *bottom = slot<channels>(s.bottom, i);
    for (int c = 0; c < channels; ++c) {
        const Taps<T> taps{top[c], top[channels + c], bottom[c], bottom[channels + c]};
        if constexpr (std::is_same_v<Fraction, float>)
            s.out[i * channels + c] = blend(taps, s.right[i], s.down[i]);
        else
            s.out[i * channels + c] = blend(taps, std::int32_t{s.right[i]}, std::int32_t{s.down[i]});
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
