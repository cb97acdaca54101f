// A register of pixels at a time, on all threads. In OpenCV's form two samples of a pixel are weighed and added by one
// instruction; in the others three loads part red, green and blue, and 16-bit lanes do the sums.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/gray/cpu/simd.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set, so its header comes second.
#include <hwy/highway.h>

#include <hwy/cache_control.h>

#include "ops/gray/operation.hpp"
#include "src/cpu/in_shares.hpp"
#include "src/pixels/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// How many bytes after what is read and written lies what will be some time later: far enough for it to have come.
struct Ahead {
    std::int64_t in, out;
};

#if HWY_TARGET == HWY_SCALAR  // a processor without vectors: nothing but the tail
template <GrayForm form, int channels, class T>
std::int64_t convert_registers(const T*, T*, std::int64_t, bool, const Ahead&) {
    return 0;
}
#else
/// weight · lanes, for 16-bit lanes whose products stay below 2¹⁶.
template <class D, class V = hn::Vec<D> >
HWY_INLINE V times(D d, int weight, V lanes) {
    return hn::Mul(hn::Set(d, static_cast<std::uint16_t>(weight)), lanes);
}

/// What gray_of computes, in 16-bit lanes. Quotients are taken by multiplying with a rounded-up reciprocal in 2⁻¹⁶,
/// which is exact for the sums that occur (at most 25 550 and 766).
template <GrayForm form, class D, class V = hn::Vec<D> >
HWY_INLINE V gray_lanes(D d, V r, V g, V b) {
    if constexpr (form == GrayForm::opencv) {
        // The weights in halves, w = 256·high + low: the sum of 23 bits is 256·(high sum) + low sum, of 16 bits each.
        const V high = hn::Add(hn::Add(times(d, kRedWeight >> 8, r), times(d, kGreenWeight >> 8, g)),
                               hn::Add(times(d, kBlueWeight >> 8, b), hn::Set(d, 1u << (kGrayShift - 1 - 8))));
        const V low = hn::Add(hn::Add(times(d, kRedWeight & 0xFF, r), times(d, kGreenWeight & 0xFF, g)),
                              times(d, kBlueWeight & 0xFF, b));
        return hn::ShiftRight<kGrayShift - 8>(hn::Add(high, hn::ShiftRight<8>(low)));
    } else if constexpr (form == GrayForm::weighted) {
        const V sum = hn::Add(hn::Add(times(d, 30, r), times(d, 59, g)), hn::Add(times(d, 11, b), hn::Set(d, 50)));
        return hn::ShiftRight<3>(hn::MulHigh(sum, hn::Set(d, 5243)));  // 2¹⁹ ÷ 100
    } else if constexpr (form == GrayForm::mean) {
        return hn::MulHigh(hn::Add(hn::Add(r, g), hn::Add(b, hn::Set(d, 1))), hn::Set(d, 21846));  // 2¹⁶ ÷ 3
    } else {
        return hn::Max(hn::Max(r, g), b);
    }
}

/// Colours of a register of pixels, in the order of the formulas.
template <class V>
struct Colours {
    V red, green, blue;
};
template <int channels, class D, class T, class V = hn::Vec<D> >
HWY_INLINE Colours<V> load_colours(D d, const T* from, bool bgr) {
    V first, second, third, alpha;
    if constexpr (channels == 3)
        hn::LoadInterleaved3(d, from, first, second, third);
    else
        hn::LoadInterleaved4(d, from, first, second, third, alpha);
    return bgr ? Colours<V>{third, second, first} : Colours<V>{first, second, third};
}

template <GrayForm form, class D, class V = hn::Vec<D> >
HWY_INLINE V gray_bytes(D bytes, const Colours<V>& c) {
    const hn::Repartition<std::uint16_t, D> pairs;
    const auto even = hn::Set(pairs, 0x00FF);
    if constexpr (form == GrayForm::max) return hn::Max(hn::Max(c.red, c.green), c.blue);
    const auto r = hn::BitCast(pairs, c.red), g = hn::BitCast(pairs, c.green), b = hn::BitCast(pairs, c.blue);
    const auto gray_even = gray_lanes<form>(pairs, hn::And(r, even), hn::And(g, even), hn::And(b, even));
    const auto gray_odd = gray_lanes<form>(pairs, hn::ShiftRight<8>(r), hn::ShiftRight<8>(g), hn::ShiftRight<8>(b));
    return hn::BitCast(bytes, hn::Or(gray_even, hn::ShiftLeft<8>(gray_odd)));
}

/// What gray_of computes of floats, in its order.
template <GrayForm form, class D, class V = hn::Vec<D> >
HWY_INLINE V gray_floats(D d, const Colours<V>& c) {
    const auto weigh = [&](float red, float green, float blue) HWY_ATTR {
        return hn::Add(hn::Add(hn::Mul(hn::Set(d, red), c.red), hn::Mul(hn::Set(d, green), c.green)),
                       hn::Mul(hn::Set(d, blue), c.blue));
    };
    const auto larger = [](V a, V b) HWY_ATTR { return hn::IfThenElse(hn::Gt(a, b), a, b); };
    if constexpr (form == GrayForm::opencv) return weigh(0.299F, 0.587F, 0.114F);
    if constexpr (form == GrayForm::weighted) return weigh(0.3F, 0.59F, 0.11F);
    if constexpr (form == GrayForm::mean) return hn::Div(hn::Add(hn::Add(c.red, c.green), c.blue), hn::Set(d, 3.0F));
    return larger(larger(c.red, c.green), c.blue);
}

/// In each 128 bits four pixels, from bytes of which as many pixels fill three quarters, or all.
template <int channels, class D>
HWY_INLINE auto spread_table(D words) {
    alignas(64) std::int32_t from[HWY_MAX_BYTES / 4];
    for (int lane = 0; lane < static_cast<int>(hn::Lanes(words)); ++lane) from[lane] = channels * (lane / 4) + lane % 4;
    return hn::SetTableIndices(words, from);
}

/// For bytes of four registers, of which each group of four has one of each: those of the first come first.
template <class D>
HWY_INLINE auto gather_table(D words) {
    alignas(64) std::int32_t from[HWY_MAX_BYTES / 4];
    const int lanes = static_cast<int>(hn::Lanes(words));
    for (int lane = 0; lane < lanes; ++lane) from[lane] = 4 * lane % lanes + 4 * lane / lanes;
    return hn::SetTableIndices(words, from);
}

/// The form `opencv`, whose weights fit 16 bits with a sign: of a quarter of a register's pixels the samples become
/// 16-bit pairs, and an instruction weighs and adds two. Converts whole registers that can be loaded, and returns the
/// first pixel that is left.
template <int channels>
std::int64_t convert_quarters(const std::uint8_t* in, std::uint8_t* out, std::int64_t count, bool bgr) {
    const hn::ScalableTag<std::uint8_t> bytes;
    const hn::Repartition<std::uint32_t, decltype(bytes)> words;
    const hn::RebindToSigned<decltype(words)> sums;
    const hn::Repartition<std::int16_t, decltype(bytes)> pairs;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(bytes)), quarter = lanes / 4;
    constexpr std::uint8_t o = 0x80, c = channels;
    HWY_ALIGN static constexpr std::uint8_t kTwo[16] = {0,     o, 1,         o, c,     o, c + 1,     o,
                                                        2 * c, o, 2 * c + 1, o, 3 * c, o, 3 * c + 1, o};
    HWY_ALIGN static constexpr std::uint8_t kThird[16] = {2,         o, o, o, c + 2,     o, o, o,
                                                          2 * c + 2, o, o, o, 3 * c + 2, o, o, o};
    HWY_ALIGN static constexpr std::uint8_t kTransposed[16] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
    const auto two = hn::LoadDup128(bytes, kTwo), third = hn::LoadDup128(bytes, kThird),
               transposed = hn::LoadDup128(bytes, kTransposed);
    const auto spread = spread_table<channels>(words), gather = gather_table(words);
    const int first = bgr ? kBlueWeight : kRedWeight, last = bgr ? kRedWeight : kBlueWeight;
    const auto weights = hn::BitCast(pairs, hn::Set(sums, first | kGreenWeight << 16));
    const auto last_weight = hn::BitCast(pairs, hn::Set(sums, last));
    const auto gray = [&](const std::uint8_t* from) HWY_ATTR {
        auto pixels = hn::BitCast(words, hn::LoadU(bytes, from));
        if constexpr (channels == 3) pixels = hn::TableLookupLanes(pixels, spread);
        const auto ordered = [&](auto order) HWY_ATTR {
            return hn::BitCast(pairs, hn::TableLookupBytesOr0(hn::BitCast(bytes, pixels), order));
        };
        auto odd = hn::Zero(sums);
        auto sum =
            hn::ReorderWidenMulAccumulate(sums, ordered(two), weights, hn::Set(sums, 1 << (kGrayShift - 1)), odd);
        sum = hn::ReorderWidenMulAccumulate(sums, ordered(third), last_weight, sum, odd);
        return hn::BitCast(words, hn::ShiftRight<kGrayShift>(hn::RearrangeToOddPlusEven(sum, odd)));
    };
    const std::int64_t reach = 3 * channels * quarter + lanes;  // bytes from a register's first
    std::int64_t i = 0;
    for (; channels * i + reach <= channels * count; i += lanes) {
        const std::uint8_t* const from = in + channels * i;
        const std::int64_t step = channels * quarter;
        const auto low = hn::Or(gray(from), hn::ShiftLeft<8>(gray(from + step)));
        const auto high = hn::Or(gray(from + 2 * step), hn::ShiftLeft<8>(gray(from + 3 * step)));
        const auto all = hn::BitCast(bytes, hn::Or(low, hn::ShiftLeft<16>(high)));
        const auto groups = hn::BitCast(words, hn::TableLookupBytes(all, transposed));
        hn::StoreU(hn::BitCast(bytes, hn::TableLookupLanes(groups, gather)), bytes, out + i);
    }
    return i;
}

/// Converts the whole registers of a stretch of a row and returns the first pixel that is left.
template <GrayForm form, int channels, class T>
std::int64_t convert_registers(const T* in, T* out, std::int64_t count, bool bgr, const Ahead& ahead) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    if constexpr (form == GrayForm::opencv && sizeof(T) == 1) i = convert_quarters<channels>(in, out, count, bgr);
    for (; i + lanes <= count; i += lanes) {
        for (int part = 0; part < channels; ++part)
            hwy::Prefetch(bytes_after(in + channels * i + lanes * part, ahead.in));
        hwy::Prefetch(bytes_after(out + i, ahead.out));
        const auto colours = load_colours<channels>(d, in + channels * i, bgr);
        if constexpr (sizeof(T) == 1)
            hn::StoreU(gray_bytes<form>(d, colours), d, out + i);
        else
            hn::StoreU(gray_floats<form>(d, colours), d, out + i);
    }
    return i;
}
#endif

template <GrayForm form, int channels, class T>
void convert_stretch(const T* in, T* out, std::int64_t count, ChannelOrder order, const Ahead& ahead) {
    const int red = red_of(order), blue = 2 - red;
    for (std::int64_t i = convert_registers<form, channels>(in, out, count, red != 0, ahead); i < count; ++i)
        out[i] = gray_of<form>(in[channels * i + red], in[channels * i + 1], in[channels * i + blue]);
}

/// A share is of pixels: a part of each row that it touches.
template <GrayForm form, class T>
void convert_form(const GrayArgs<T>& a, Share share) {
    constexpr std::int64_t kPixelsAhead = 4096;
    const std::int64_t rows = ceil_div(kPixelsAhead, a.in.width);
    for (std::int64_t y = share.begin / a.in.width; y * a.in.width < share.end; ++y) {
        const bool last = (y + rows) * a.in.width >= share.end;
        const Ahead ahead{last ? 0 : rows * a.in.pitch, last ? 0 : rows * a.out.pitch};
        const std::int64_t row = y * a.in.width;
        const std::int64_t begin = std::max(share.begin - row, std::int64_t{0});
        const std::int64_t count = std::min(share.end - row, a.in.width) - begin;
        const T* in = row_of(a.in, y) + begin * a.in.channels;
        if (a.in.channels == 3)
            convert_stretch<form, 3>(in, row_of(a.out, y) + begin, count, a.order, ahead);
        else
            convert_stretch<form, 4>(in, row_of(a.out, y) + begin, count, a.order, ahead);
    }
}

template <class T>
void convert(const GrayArgs<T>& a, Share share) {
    switch (a.form) {
        case GrayForm::opencv: return convert_form<GrayForm::opencv>(a, share);
        case GrayForm::weighted: return convert_form<GrayForm::weighted>(a, share);
        case GrayForm::mean: return convert_form<GrayForm::mean>(a, share);
        case GrayForm::max: return convert_form<GrayForm::max>(a, share);
    }
}
void convert_bytes(const GrayArgs<std::uint8_t>& a, Share share) { convert(a, share); }
void convert_floats(const GrayArgs<float>& a, Share share) { convert(a, share); }

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace {
HWY_EXPORT(convert_bytes);
HWY_EXPORT(convert_floats);
constexpr std::int64_t kGrain = 65536;  // pixels: below it a second thread costs more than it brings

template <class T, class Convert>
void in_parts(const GrayArgs<T>& a, Team team, Convert convert) {
    if (a.empty()) return;
    const GrayArgs<T> rows = in_long_rows(a);
    in_shares(team, rows.in.height * rows.in.width, kGrain, [&](Share share) {
        if (share.size() > 0) convert(rows, share);
    });
}
void launch_bytes(const GrayArgs<std::uint8_t>& a, Team team) {
    in_parts(a, team, HWY_DYNAMIC_DISPATCH(convert_bytes));
}
void launch_floats(const GrayArgs<float>& a, Team team) { in_parts(a, team, HWY_DYNAMIC_DISPATCH(convert_floats)); }
}  // namespace

LANEWORK_RUNG(gray, simd,
              {
                  .climbs_from = "serial",
                  .lesson = "Shuffle samples into pairs that one instruction weighs and adds, on all threads.",
                  .launch = {launch_bytes, launch_floats},
              });
#endif
