// A register of pixels at a time, on all threads: three loads part red, green and blue, and 16-bit lanes do the sums.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/gray/cpu/simd.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set, so its header comes second.
#include <hwy/highway.h>

#include "ops/gray/operation.hpp"
#include "src/cpu/in_shares.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR  // a processor without vectors: nothing but the tail
template <GrayForm form>
std::int64_t convert_registers(const GrayArgs&, std::int64_t first, std::int64_t) {
    return first;
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

/// Converts the whole registers from `first` on and returns the first pixel that is left.
template <GrayForm form>
std::int64_t convert_registers(const GrayArgs& a, std::int64_t first, std::int64_t end) {
    const hn::ScalableTag<std::uint8_t> bytes;
    const hn::Repartition<std::uint16_t, decltype(bytes)> pairs;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(bytes));
    const auto even = hn::Set(pairs, 0x00FF);
    std::int64_t i = first;
    for (; i + lanes <= end; i += lanes) {
        hn::Vec<decltype(bytes)> red, green, blue;
        hn::LoadInterleaved3(bytes, a.rgb + 3 * i, red, green, blue);
        const auto r = hn::BitCast(pairs, red), g = hn::BitCast(pairs, green), b = hn::BitCast(pairs, blue);
        const auto gray_even = gray_lanes<form>(pairs, hn::And(r, even), hn::And(g, even), hn::And(b, even));
        const auto gray_odd = gray_lanes<form>(pairs, hn::ShiftRight<8>(r), hn::ShiftRight<8>(g), hn::ShiftRight<8>(b));
        hn::StoreU(hn::BitCast(bytes, hn::Or(gray_even, hn::ShiftLeft<8>(gray_odd))), bytes, a.gray + i);
    }
    return i;
}
#endif

template <GrayForm form>
void convert_form(const GrayArgs& a, Share share) {
    for (std::int64_t i = convert_registers<form>(a, share.begin, share.end); i < share.end; ++i)
        a.gray[i] = static_cast<std::uint8_t>(gray_of<form>(a.rgb[3 * i], a.rgb[3 * i + 1], a.rgb[3 * i + 2]));
}

void convert(const GrayArgs& a, Share share) {
    switch (a.form) {
        case GrayForm::opencv: return convert_form<GrayForm::opencv>(a, share);
        case GrayForm::weighted: return convert_form<GrayForm::weighted>(a, share);
        case GrayForm::mean: return convert_form<GrayForm::mean>(a, share);
        case GrayForm::max: return convert_form<GrayForm::max>(a, share);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace {
HWY_EXPORT(convert);
constexpr std::int64_t kGrain = 4096;  // pixels: a page of output, so that no two threads write one line

void launch(const GrayArgs& a, Team team) {
    const auto convert = HWY_DYNAMIC_DISPATCH(convert);
    in_shares(team, a.pixels(), kGrain, [&](Share share) { convert(a, share); });
}
}  // namespace

LANEWORK_RUNG(gray, simd,
              {
                  .climbs_from = "serial",
                  .lesson = "Part the colours into registers and do the sums in 16-bit lanes, on all threads.",
                  .launch = launch,
              });
#endif
