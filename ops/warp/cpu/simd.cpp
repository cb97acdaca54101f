// A strip of a row in three steps, on all threads: registers of positions; then the taps, fetched one by one into tight
// arrays, since memory gives no more than that; then registers of weighted sums, in 16 bits for bytes.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/warp/cpu/simd.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set, so its header comes second.
#include <hwy/highway.h>

#include <cstring>

#include "ops/warp/cpu/strip.hpp"
#include "src/cpu/in_shares.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR  // a processor without vectors
template <class T, class Fraction>
void locate_registers(Strip<T, Fraction>& s, const Terms<std::int32_t>* columns, Terms<std::int32_t> row, int count) {
    locate(s, columns, row, count);
}
template <int channels, class T, class Fraction>
void blend_registers(Strip<T, Fraction>& s, int count) {
    for (int i = 0; i < count; ++i) blend_one<channels>(s, i);
}
#else

using Floats = hn::ScalableTag<float>;
using Pixels = hn::CappedTag<float, 4>;  ///< the channels of one pixel

/// Positions in 31 bits, a register at a time; what lies beyond `count` is computed too, and used by nobody.
template <class T, class Fraction>
void locate_registers(Strip<T, Fraction>& s, const Terms<std::int32_t>* columns, Terms<std::int32_t> row, int count) {
    const hn::ScalableTag<std::int32_t> d;
    const auto row_x = hn::Set(d, row.x), row_y = hn::Set(d, row.y), mask = hn::Set(d, kFractions - 1);
    const auto store_fraction = [&](auto fraction, Fraction* to) {
        if constexpr (std::is_same_v<Fraction, float>)
            hn::Store(hn::Mul(hn::ConvertTo(Floats(), fraction), hn::Set(Floats(), 1.0F / kFractions)), Floats(), to);
        else
            hn::StoreU(hn::DemoteTo(hn::Rebind<std::uint16_t, decltype(d)>(), fraction),
                       hn::Rebind<std::uint16_t, decltype(d)>(), to);
    };
    for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(d))) {
        hn::Vec<decltype(d)> x, y;
        hn::LoadInterleaved2(d, &columns[i].x, x, y);
        x = hn::ShiftRight<kPositionBits - kFractionBits>(hn::Add(x, row_x));
        y = hn::ShiftRight<kPositionBits - kFractionBits>(hn::Add(y, row_y));
        hn::Store(hn::ShiftRight<kFractionBits>(x), d, s.x + i);
        hn::Store(hn::ShiftRight<kFractionBits>(y), d, s.y + i);
        store_fraction(hn::And(x, mask), s.right + i);
        store_fraction(hn::And(y, mask), s.down + i);
    }
}

/// blend() of bytes and fractions in 2⁻⁵, in 16-bit lanes. The sum of a row is below 2¹³. That of both needs 18 bits,
/// but ⌊(32·t + (b − t)·f + 512) / 2¹⁰⌋ is ⌊(t + ⌊(b − t)·f / 2⁵⌋ + 16) / 2⁵⌋, whose parts fit; the inner quotient is
/// the upper half of 2(b − t) · 2¹⁰f.
template <class D, class V = hn::Vec<D> >
HWY_INLINE V weigh_row(D, V left, V right, V fraction) {
    return hn::Add(hn::ShiftLeft<kFractionBits>(left), hn::Mul(hn::Sub(right, left), fraction));
}
template <class D, class V = hn::Vec<D> >
HWY_INLINE V weigh_rows(D d, V top, V bottom, V fraction) {
    const V twice = hn::ShiftLeft<1>(hn::Sub(bottom, top));
    const V quotient = hn::MulHigh(twice, hn::ShiftLeft<15 - kFractionBits>(fraction));
    return hn::ShiftRight<kFractionBits>(hn::Add(hn::Add(top, quotient), hn::Set(d, kFractions / 2)));
}

/// One channel: a slot is left and right sample.
HWY_INLINE void blend_grays(Strip<std::uint8_t, std::uint16_t>& s, int count) {
    const hn::ScalableTag<std::int16_t> d;
    const hn::RebindToUnsigned<decltype(d)> bits;
    const auto low = hn::Set(d, 0xFF);
    const auto load = [&](const std::uint16_t* from) { return hn::BitCast(d, hn::LoadU(bits, from)); };
    const auto high = [&](auto slots) { return hn::BitCast(d, hn::ShiftRight<8>(hn::BitCast(bits, slots))); };
    for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(d))) {
        const auto top = load(s.top.pair + i), bottom = load(s.bottom.pair + i), right = load(s.right + i);
        const auto sum = weigh_rows(d, weigh_row(d, hn::And(top, low), high(top), right),
                                    weigh_row(d, hn::And(bottom, low), high(bottom), right), load(s.down + i));
        const hn::Rebind<std::uint8_t, decltype(d)> bytes;
        hn::StoreU(hn::DemoteTo(bytes, sum), bytes, s.out + i);
    }
}

/// Drops the fourth byte of each of `count` pixels.
HWY_INLINE void store_three_of_four(const std::uint8_t* pixels, std::uint8_t* out, int count) {
    const hn::CappedTag<std::uint8_t, 16> d;
    alignas(16) constexpr std::uint8_t kKept[16] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 0x80, 0x80, 0x80, 0x80};
    const auto kept = hn::Load(d, kKept);
    for (int i = 0; i < count; i += 4)
        hn::StoreU(hn::TableLookupBytesOr0(hn::Load(d, pixels + 4 * i), kept), d, out + 3 * i);
}

/// Three or four channels: a slot of eight bytes is the left pixel and then the right one.
template <int channels>
HWY_INLINE void blend_colours(Strip<std::uint8_t, std::uint16_t>& s, int count) {
    const hn::ScalableTag<std::uint64_t> slots;
    const hn::Repartition<std::uint8_t, decltype(slots)> bytes;
    const hn::Repartition<std::int16_t, decltype(slots)> d;
    const hn::Rebind<std::uint16_t, decltype(slots)> fractions;
    const hn::Rebind<std::uint32_t, decltype(slots)> words;
    constexpr std::uint8_t kNone = 0x80, c = channels, k4th = channels == 4 ? 3 : kNone;
    constexpr std::uint8_t kLast = channels == 4 ? 7 : kNone, kLast8 = channels == 4 ? 15 : kNone;
    alignas(16) constexpr std::uint8_t kLeft[16] = {
        0, kNone, 1, kNone, 2, kNone, k4th, kNone, 8, kNone, 9, kNone, 10, kNone, channels == 4 ? 11 : kNone, kNone};
    alignas(16) constexpr std::uint8_t kRight[16] = {c,     kNone, c + 1, kNone, c + 2,  kNone, kLast,  kNone,
                                                     c + 8, kNone, c + 9, kNone, c + 10, kNone, kLast8, kNone};
    alignas(16) constexpr std::uint8_t kEach[16] = {0, 1, 0, 1, 0, 1, 0, 1, 8, 9, 8, 9, 8, 9, 8, 9};
    const auto left = hn::LoadDup128(bytes, kLeft), right = hn::LoadDup128(bytes, kRight),
               each = hn::LoadDup128(bytes, kEach);
    const auto spread = [&](const std::uint16_t* from) {
        const auto lanes = hn::PromoteTo(slots, hn::PromoteTo(words, hn::LoadU(fractions, from)));
        return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, lanes), each));
    };
    const auto row_sum = [&](const std::uint64_t* from, auto fraction) {
        const auto pair = hn::BitCast(bytes, hn::Load(slots, from));
        return weigh_row(d, hn::BitCast(d, hn::TableLookupBytesOr0(pair, left)),
                         hn::BitCast(d, hn::TableLookupBytesOr0(pair, right)), fraction);
    };
    for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(slots))) {
        const auto across = spread(s.right + i);
        const auto sum =
            weigh_rows(d, row_sum(s.top.pixels + i, across), row_sum(s.bottom.pixels + i, across), spread(s.down + i));
        const hn::Rebind<std::uint8_t, decltype(d)> packed;
        hn::StoreU(hn::DemoteTo(packed, sum), packed, (channels == 4 ? s.out : s.padded) + 4 * i);
    }
    if constexpr (channels == 3) store_three_of_four(s.padded, s.out, count);
}

/// blend_floats() in lanes: the taps in their order.
template <class D, class V = hn::Vec<D> >
HWY_INLINE V blend_lanes(D d, const Taps<V>& taps, V right, V down) {
    const V one = hn::Set(d, 1.0F), left = hn::Sub(one, right), up = hn::Sub(one, down);
    const V top = hn::Add(hn::Mul(taps.top_left, hn::Mul(up, left)), hn::Mul(taps.top_right, hn::Mul(up, right)));
    return hn::Add(hn::Add(top, hn::Mul(taps.bottom_left, hn::Mul(down, left))),
                   hn::Mul(taps.bottom_right, hn::Mul(down, right)));
}

HWY_INLINE void blend_grays(Strip<std::uint8_t, float>& s, int count) {
    const Floats d;
    const hn::Rebind<std::int32_t, Floats> whole;
    const hn::Rebind<std::uint16_t, Floats> pairs;
    const hn::Rebind<std::uint8_t, Floats> bytes;
    const auto to_float = [&](auto pair) { return hn::ConvertTo(d, hn::PromoteTo(whole, pair)); };
    const auto low = hn::Set(pairs, 0xFF);
    for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(d))) {
        const auto top = hn::LoadU(pairs, s.top.pair + i), bottom = hn::LoadU(pairs, s.bottom.pair + i);
        const Taps<hn::Vec<Floats> > taps{to_float(hn::And(top, low)), to_float(hn::ShiftRight<8>(top)),
                                          to_float(hn::And(bottom, low)), to_float(hn::ShiftRight<8>(bottom))};
        const auto sum = blend_lanes(d, taps, hn::Load(d, s.right + i), hn::Load(d, s.down + i));
        hn::StoreU(hn::DemoteTo(bytes, hn::NearestInt(sum)), bytes, s.out + i);
    }
}

template <int channels>
HWY_INLINE void blend_colours(Strip<std::uint8_t, float>& s, int count) {
    const Pixels d;
    const hn::Rebind<std::int32_t, Pixels> whole;
    const hn::Rebind<std::uint8_t, Pixels> bytes;
    const auto load = [&](const std::uint64_t* slot, int at) {
        const auto* samples = reinterpret_cast<const std::uint8_t*>(slot) + at;
        return hn::ConvertTo(d, hn::PromoteTo(whole, hn::LoadU(bytes, samples)));
    };
    for (int i = 0; i < count; ++i) {
        const auto *top = s.top.pixels + i, *bottom = s.bottom.pixels + i;
        const Taps<hn::Vec<Pixels> > taps{load(top, 0), load(top, channels), load(bottom, 0), load(bottom, channels)};
        const auto sum = blend_lanes(d, taps, hn::Set(d, s.right[i]), hn::Set(d, s.down[i]));
        hn::StoreU(hn::DemoteTo(bytes, hn::NearestInt(sum)), bytes, s.out + channels * i);
    }
}

HWY_INLINE void blend_grays(Strip<float, float>& s, int count) {
    const Floats d;
    for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(d))) {
        hn::Vec<Floats> top_left, top_right, bottom_left, bottom_right;
        hn::LoadInterleaved2(d, &s.top.pair[i].left, top_left, top_right);
        hn::LoadInterleaved2(d, &s.bottom.pair[i].left, bottom_left, bottom_right);
        const Taps<hn::Vec<Floats> > taps{top_left, top_right, bottom_left, bottom_right};
        hn::Store(blend_lanes(d, taps, hn::Load(d, s.right + i), hn::Load(d, s.down + i)), d, s.out + i);
    }
}

template <int channels>
HWY_INLINE void blend_colours(Strip<float, float>& s, int count) {
    const Pixels d;
    for (int i = 0; i < count; ++i) {
        const float *top = s.top.pixels[i].samples, *bottom = s.bottom.pixels[i].samples;
        const Taps<hn::Vec<Pixels> > taps{hn::LoadU(d, top), hn::LoadU(d, top + channels), hn::LoadU(d, bottom),
                                          hn::LoadU(d, bottom + channels)};
        hn::StoreU(blend_lanes(d, taps, hn::Set(d, s.right[i]), hn::Set(d, s.down[i])), d, s.out + channels * i);
    }
}

template <int channels, class T, class Fraction>
HWY_INLINE void blend_registers(Strip<T, Fraction>& s, int count) {
    if constexpr (channels == 1)
        blend_grays(s, count);
    else
        blend_colours<channels>(s, count);
}
#endif

template <int channels, class Number, class T>
void rows_of_strips(const WarpArgs<T>& a, Share rows) {
    Strip<T, std::conditional_t<sizeof(T) == 1 && std::is_integral_v<Number>, std::uint16_t, float> > strip{};
    Terms<Number> columns[kStrip]{};
    for (std::int64_t left = 0; left < a.out.width; left += kStrip) {
        const auto count = static_cast<int>(std::min<std::int64_t>(kStrip, a.out.width - left));
        for (int i = 0; i < count; ++i) columns[i] = column_terms<Number>(a.to_in, left + i);
        for (std::int64_t y = rows.begin; y < rows.end; ++y) {
            const auto row = row_terms<Number>(a.to_in, y);
            if constexpr (std::is_same_v<Number, std::int32_t>)
                locate_registers(strip, columns, row, count);
            else
                locate(strip, columns, row, count);
            fetch<channels>(strip, a, count);
            blend_registers<channels>(strip, count);
            std::memcpy(row_of(a.out, y) + left * channels, strip.out,
                        sizeof(T) * static_cast<std::size_t>(channels * count));
        }
    }
}

template <class T>
void warp_rows(const WarpArgs<T>& a, Share rows) {
    with_positions(a, [&]<class Number>() {
        with_channels(a.out.channels, [&]<int channels>() { rows_of_strips<channels, Number>(a, rows); });
    });
}
void warp_bytes(const WarpArgs<std::uint8_t>& a, Share rows) { warp_rows(a, rows); }
void warp_floats(const WarpArgs<float>& a, Share rows) { warp_rows(a, rows); }

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace {
HWY_EXPORT(warp_bytes);
HWY_EXPORT(warp_floats);

constexpr std::int64_t kGrainBytes = 1 << 16;  // of output: what is worth a thread

template <class T>
void launch(const WarpArgs<T>& a, Team team) {
    if (a.empty()) return;
    const std::int64_t row_bytes = a.out.width * a.out.channels * static_cast<std::int64_t>(sizeof(T));
    in_shares(team, a.out.height, std::max<std::int64_t>(1, kGrainBytes / row_bytes), [&](Share rows) {
        if constexpr (sizeof(T) == 1)
            HWY_DYNAMIC_DISPATCH(warp_bytes)(a, rows);
        else
            HWY_DYNAMIC_DISPATCH(warp_floats)(a, rows);
    });
}
}  // namespace

LANEWORK_RUNG(warp, simd,
              {
                  .climbs_from = "serial",
                  .lesson = "Compute positions and sums in registers, and fetch the taps between them, on all threads.",
                  .launch = {launch<std::uint8_t>, launch<float>},
              });
#endif
