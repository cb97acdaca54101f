// A strip of output pixels on its way through the cpu's vector rung: sites, taps and results in tight arrays.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "ops/warp/blend.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kStrip = 512;  ///< pixels: a multiple of every register's lanes

/// The parts of positions that a strip's columns give.
template <class Number>
struct ColumnTerms {
    alignas(64) Number x[kStrip], y[kStrip];

    void fill(const Affine& to_in, std::int64_t left, int count) {
        for (int i = 0; i < count; ++i) {
            const auto terms = column_terms<Number>(to_in, left + i);
            x[i] = terms.x;
            y[i] = terms.y;
        }
    }
    Terms<Number> operator[](int i) const { return {x[i], y[i]}; }
};

/// The taps of one row: `pair` for one channel, left and right sample; else `pixels`, left pixel and then right one.
template <class T>
struct StripTaps;
template <>
struct StripTaps<std::uint8_t> {
    alignas(64) std::uint16_t pair[kStrip];
    /// Of each four pixels the first two and the last two apart: two registers of sums that become one of bytes then
    /// hold four neighbours in each block of 16.
    alignas(64) std::uint64_t pixels[2][kStrip / 2];
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

/// Fraction is std::uint8_t (2⁻⁵) for bytes in the convention opencv, else float.
template <class T, class Fraction>
struct Strip {
    alignas(64) std::int32_t x[kStrip], y[kStrip];
    alignas(64) Fraction right[kStrip], down[kStrip];
    alignas(64) std::int32_t place[kStrip];  ///< of the left sample of row y, in bytes from a row that all share
    StripTaps<T> top, bottom;
    alignas(64) T out[4 * kStrip + 64];  ///< with room for the register after the last pixel
};

/// The sites of `count` pixels, one by one.
template <class T, class Fraction, class Number>
void locate(Strip<T, Fraction>& s, const ColumnTerms<Number>& columns, const Terms<Number>& row, int count) {
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

/// Pixels begin … end − 1 of a strip.
struct Span {
    int begin, end;
};

/// The pixels of a span for which it `is` so: an interval, since an affine transform keeps lines.
template <class Is>
Span span_where(Span span, const Is& is) {
    while (span.begin < span.end && !is(span.begin)) ++span.begin;
    while (span.begin < span.end && !is(span.end - 1)) --span.end;
    return span;
}

inline constexpr int kGroup = 4;  ///< pixels

/// Where the two taps of a row are kept, of a pixel of a group.
template <int channels, class T>
T* slot(StripTaps<T>& taps, int group, int member) {
    if constexpr (channels == 1)
        return reinterpret_cast<T*>(&taps.pair[kGroup * group + member]);
    else if constexpr (sizeof(T) == 1)
        return reinterpret_cast<T*>(&taps.pixels[member / 2][2 * group + member % 2]);
    else
        return reinterpret_cast<T*>(&taps.pixels[kGroup * group + member]);
}
template <int channels, class T>
T* slot(StripTaps<T>& taps, int pixel) {
    return slot<channels>(taps, pixel / kGroup, pixel % kGroup);
}

/// The taps of a pixel that is not inside.
template <int channels, class T, class Fraction>
void fetch_at_border(Strip<T, Fraction>& s, const WarpArgs<T>& a, int i) {
    const Site<Fraction> site{s.x[i], s.y[i], s.right[i], s.down[i]};
    T *top = slot<channels>(s.top, i), *bottom = slot<channels>(s.bottom, i);
    for (int c = 0; c < channels; ++c) {
        const Taps<T> taps = taps_of(a.in, site, c, a.border[static_cast<std::size_t>(c)]);
        top[c] = taps.top_left;
        top[channels + c] = taps.top_right;
        bottom[c] = taps.bottom_left;
        bottom[channels + c] = taps.bottom_right;
    }
}

/// The part of a span of pixels inside that can be fetched without a test for each: in whole groups, their slots in the
/// image and their places of 31 bits.
template <int channels, class T, class Fraction>
Span regular(const Strip<T, Fraction>& s, const ImageView<const T>& in, Span inside) {
    constexpr int kBeyond = channels == 3 ? 1 : 0;  // pixels that a slot reads after the right one
    inside = span_where(inside, [&](int i) { return s.x[i] < in.width - 1 - kBeyond; });
    const Span whole{(inside.begin + kGroup - 1) / kGroup * kGroup, inside.end / kGroup * kGroup},
        none{inside.end, inside.end};
    if (whole.begin >= whole.end) return none;
    const std::int64_t rows = std::int64_t{s.y[whole.end - 1]} - s.y[whole.begin];
    return (std::abs(rows) + 1) * in.pitch > INT32_MAX ? none : whole;
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
