// The three steps of a strip with Highway, read once for each instruction set: sites, taps, and their sums, of bytes in
// 16-bit lanes, else in floats.
#if defined(LANEWORK_WARP_STRIPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWORK_WARP_STRIPS_INL
#undef LANEWORK_WARP_STRIPS_INL
#else
#define LANEWORK_WARP_STRIPS_INL
#endif

#include <hwy/highway.h>

#include "ops/warp/cpu/strip.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The places of a span's taps from row `first` on.
template <int channels, class T, class Fraction>
HWY_INLINE void place_taps(Strip<T, Fraction>& s, std::int32_t first, std::int64_t pitch, Span span) {
    const hn::ScalableTag<std::int32_t> d;
    const auto lanes = static_cast<int>(hn::Lanes(d));
    const auto first_row = hn::Set(d, first), row_bytes = hn::Set(d, static_cast<std::int32_t>(pitch)),
               pixel_bytes = hn::Set(d, channels * static_cast<std::int32_t>(sizeof(T)));
    for (int i = span.begin / lanes * lanes; i < span.end; i += lanes) {
        const auto rows = hn::Mul(hn::Sub(hn::Load(d, s.y + i), first_row), row_bytes);
        hn::Store(hn::Add(rows, hn::Mul(hn::Load(d, s.x + i), pixel_bytes)), d, s.place + i);
    }
}

/// Copies the taps of a group of pixels whose slots are in the image; `from` is the row that places begin at.
template <int channels, class T, class Fraction>
HWY_INLINE void copy_group(Strip<T, Fraction>& s, const T* from, std::int64_t pitch, int group) {
    const auto copy = [&](StripTaps<T>& to, int member, std::int64_t below) {
        constexpr std::size_t kSlot = sizeof(T) * (channels == 1 ? 2 : 8);
        std::memcpy(slot<channels>(to, group, member), bytes_after(from, s.place[kGroup * group + member] + below),
                    kSlot);
    };
    copy(s.top, 0, 0), copy(s.top, 1, 0), copy(s.top, 2, 0), copy(s.top, 3, 0);
    copy(s.bottom, 0, pitch), copy(s.bottom, 1, pitch), copy(s.bottom, 2, pitch), copy(s.bottom, 3, pitch);
}

/// Fetches the taps of those pixels that see the image, and returns which they are.
template <int channels, class T, class Fraction>
Span fetch(Strip<T, Fraction>& s, const WarpArgs<T>& a, int count) {
    const auto site = [&](int i) { return Site<Fraction>{s.x[i], s.y[i], s.right[i], s.down[i]}; };
    const Span seen = span_where({0, count}, [&](int i) { return !is_outside(a.in, site(i)); });
    const Span inside = span_where(seen, [&](int i) { return is_inside(a.in, site(i)); });
    const Span span = regular<channels>(s, a.in, inside);
    for (int i = seen.begin; i < span.begin; ++i) fetch_at_border<channels>(s, a, i);
    if (span.begin < span.end) {
        const std::int32_t first_row = std::min(s.y[span.begin], s.y[span.end - 1]);
        place_taps<channels>(s, first_row, a.in.pitch, span);
        for (int group = span.begin / kGroup; group < span.end / kGroup; ++group)
            copy_group<channels>(s, row_of(a.in, first_row), a.in.pitch, group);
    }
    for (int i = span.end; i < seen.end; ++i) fetch_at_border<channels>(s, a, i);
    return seen;
}

#if HWY_TARGET == HWY_SCALAR  // a processor without vectors
template <class T, class Fraction>
void locate_registers(Strip<T, Fraction>& s, const ColumnTerms<std::int32_t>& columns, Terms<std::int32_t> row,
                      int count) {
    locate(s, columns, row, count);
}
template <int channels, class T, class Fraction>
void blend_registers(Strip<T, Fraction>& s, int count) {
    for (int i = 0; i < count; ++i) blend_one<channels>(s, i);
}
#else

/// Positions in 31 bits, a register at a time; what lies beyond `count` is computed too, and used by nobody.
template <class T, class Fraction>
void locate_registers(Strip<T, Fraction>& s, const ColumnTerms<std::int32_t>& columns, Terms<std::int32_t> row,
                      int count) {
    const hn::ScalableTag<std::int32_t> d;
    const auto row_x = hn::Set(d, row.x), row_y = hn::Set(d, row.y), mask = hn::Set(d, kFractions - 1);
    const auto store_fraction = [&](auto fraction, Fraction* to) {
        const hn::Rebind<Fraction, decltype(d)> narrow;
        if constexpr (std::is_same_v<Fraction, float>)
            hn::Store(hn::Mul(hn::ConvertTo(narrow, fraction), hn::Set(narrow, 1.0F / kFractions)), narrow, to);
        else
            hn::StoreU(hn::DemoteTo(narrow, fraction), narrow, to);
    };
    for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(d))) {
        const auto x = hn::ShiftRight<kPositionBits - kFractionBits>(hn::Add(hn::Load(d, columns.x + i), row_x));
        const auto y = hn::ShiftRight<kPositionBits - kFractionBits>(hn::Add(hn::Load(d, columns.y + i), row_y));
        hn::Store(hn::ShiftRight<kFractionBits>(x), d, s.x + i);
        hn::Store(hn::ShiftRight<kFractionBits>(y), d, s.y + i);
        store_fraction(hn::And(x, mask), s.right + i);
        store_fraction(hn::And(y, mask), s.down + i);
    }
}
using Floats = hn::ScalableTag<float>;
using Pixels = hn::CappedTag<float, 4>;  ///< the channels of one pixel

/// blend() of bytes and fractions in 2⁻⁵, in 16-bit lanes. The sum of a row is below 2¹³. That of both needs 18 bits,
/// but ⌊(32·t + (b − t)·f + 512) / 2¹⁰⌋ is ⌊(t + ⌊(b − t)·f / 2⁵⌋ + 16) / 2⁵⌋, whose parts fit; the inner quotient is
/// the upper half of 2(b − t) · 2¹⁰f.
template <class V>
HWY_INLINE V weigh_row(V left, V right, V fraction) {
    return hn::Add(hn::ShiftLeft<kFractionBits>(left), hn::Mul(hn::Sub(right, left), fraction));
}
template <class D, class V = hn::Vec<D> >
HWY_INLINE V weigh_rows(D d, V top, V bottom, V fraction) {
    const V twice = hn::ShiftLeft<1>(hn::Sub(bottom, top));
    const V quotient = hn::MulHigh(twice, hn::ShiftLeft<15 - kFractionBits>(fraction));
    return hn::ShiftRight<kFractionBits>(hn::Add(hn::Add(top, quotient), hn::Set(d, kFractions / 2)));
}

/// One channel: a slot is left and right sample.
HWY_INLINE void blend_grays(Strip<std::uint8_t, std::uint8_t>& s, int count) {
    const hn::ScalableTag<std::int16_t> d;
    const hn::RebindToUnsigned<decltype(d)> bits;
    const hn::Rebind<std::uint8_t, decltype(d)> bytes;
    const auto low = hn::Set(d, 0xFF);
    const auto load = [&](const std::uint16_t* from) { return hn::BitCast(d, hn::LoadU(bits, from)); };
    const auto high = [&](auto slots) { return hn::BitCast(d, hn::ShiftRight<8>(hn::BitCast(bits, slots))); };
    const auto widen = [&](const std::uint8_t* from) { return hn::PromoteTo(d, hn::LoadU(bytes, from)); };
    for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(d))) {
        const auto top = load(s.top.pair + i), bottom = load(s.bottom.pair + i), right = widen(s.right + i);
        const auto sum = weigh_rows(d, weigh_row(hn::And(top, low), high(top), right),
                                    weigh_row(hn::And(bottom, low), high(bottom), right), widen(s.down + i));
        hn::StoreU(hn::DemoteTo(bytes, sum), bytes, s.out + i);
    }
}

/// How the bytes of a block of 16 are moved, for each block of the widest register.
struct BlockOrder {
    static constexpr std::uint8_t kNone = 0x80;
    std::uint8_t from[64];

    /// The left pixel (`first` = 0) or the right one (`first` = channels) of two slots, in 16-bit lanes.
    static constexpr BlockOrder of_pixels(int channels, int first) {
        BlockOrder order{};
        for (int i = 0; i < 64; ++i) {
            const int channel = i % 8 / 2;
            order.from[i] = i % 2 || channel >= channels ? kNone : std::uint8_t(i % 16 / 8 * 8 + first + channel);
        }
        return order;
    }
    /// The fractions of the first two pixels (`pair` = 0) or the last two (`pair` = 1) of block b's four, out of a
    /// block that has those of 16, in 16-bit lanes.
    static constexpr BlockOrder of_fractions(int pair) {
        BlockOrder order{};
        for (int i = 0; i < 64; ++i) order.from[i] = i % 2 ? kNone : std::uint8_t(i / 16 * 4 + pair * 2 + i % 16 / 8);
        return order;
    }
    /// Two 16-bit sums of two pixels, one in the even and one in the odd bytes, to four pixels one after the other.
    static constexpr BlockOrder of_sums(int channels) {
        BlockOrder order{};
        for (int i = 0; i < 64; ++i) {
            const int pixel = i % 16 / channels, channel = i % 16 % channels;
            order.from[i] = pixel > 3 ? kNone : std::uint8_t(pixel % 2 * 8 + channel * 2 + pixel / 2);
        }
        return order;
    }
};

/// Stores the first 4 · channels bytes of each block, one after the other; what follows them is overwritten too.
template <int channels, class D, class V>
HWY_INLINE void store_blocks(D bytes, V blocks, std::uint8_t* to) {
    if constexpr (channels == 3) {
        const hn::Repartition<std::uint32_t, D> words;
        alignas(64) constexpr std::uint32_t kKept[16] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 0, 0, 0, 0};
        const auto in_register = hn::Set(words, static_cast<std::uint32_t>(hn::Lanes(words)) - 1);
        const auto kept = hn::IndicesFromVec(words, hn::And(hn::Load(words, kKept), in_register));
        blocks = hn::BitCast(bytes, hn::TableLookupLanes(hn::BitCast(words, blocks), kept));
    }
    hn::StoreU(blocks, bytes, to);
}

/// Three or four channels: a slot of eight bytes is the left pixel and then the right one.
template <int channels>
HWY_INLINE void blend_colours(Strip<std::uint8_t, std::uint8_t>& s, int count) {
    const hn::CappedTag<std::uint64_t, 8> slots;
    const hn::Repartition<std::uint8_t, decltype(slots)> bytes;
    const hn::Repartition<std::int16_t, decltype(slots)> d;
    alignas(64) static constexpr BlockOrder kLeft = BlockOrder::of_pixels(channels, 0),
                                            kRight = BlockOrder::of_pixels(channels, channels),
                                            kFirst = BlockOrder::of_fractions(0), kLast = BlockOrder::of_fractions(1),
                                            kSums = BlockOrder::of_sums(channels);
    const auto left = hn::Load(bytes, kLeft.from), right = hn::Load(bytes, kRight.from),
               first = hn::Load(bytes, kFirst.from), last = hn::Load(bytes, kLast.from),
               in_order = hn::Load(bytes, kSums.from);
    const auto pick = [&](auto block, auto order) { return hn::BitCast(d, hn::TableLookupBytesOr0(block, order)); };
    const auto row_sum = [&](const std::uint64_t* from, auto fraction) {
        const auto pair = hn::BitCast(bytes, hn::Load(slots, from));
        return weigh_row(pick(pair, left), pick(pair, right), fraction);
    };
    for (int i = 0; i < count; i += 2 * static_cast<int>(hn::Lanes(slots))) {
        const auto across = hn::LoadDup128(bytes, s.right + i), along = hn::LoadDup128(bytes, s.down + i);
        const auto sums = [&](int pair, auto fractions) {
            const auto x = pick(across, fractions);
            return weigh_rows(d, row_sum(s.top.pixels[pair] + i / 2, x), row_sum(s.bottom.pixels[pair] + i / 2, x),
                              pick(along, fractions));
        };
        const auto both = hn::Or(sums(0, first), hn::ShiftLeft<8>(sums(1, last)));
        store_blocks<channels>(bytes, hn::TableLookupBytesOr0(hn::BitCast(bytes, both), in_order),
                               s.out + channels * i);
    }
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
    const auto load = [&](const std::uint8_t* samples) {
        return hn::ConvertTo(d, hn::PromoteTo(whole, hn::LoadU(bytes, samples)));
    };
    for (int i = 0; i < count; ++i) {
        const auto *top = slot<channels>(s.top, i), *bottom = slot<channels>(s.bottom, i);
        const Taps<hn::Vec<Pixels> > taps{load(top), load(top + channels), load(bottom), load(bottom + channels)};
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

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#endif
