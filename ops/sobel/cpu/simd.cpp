// Two rows at a time, a register of samples each, on all threads: unaligned loads give the neighbours to the left and
// right, 16-bit lanes the sums, and what four rows contribute is computed once and serves both.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/sobel/cpu/simd.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set, so its header comes second.
#include <hwy/highway.h>

#include <hwy/cache_control.h>

#include "ops/sobel/cpu/sample.hpp"
#include "src/pixels/row_pairs.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR  // a processor without vectors: nothing but single samples
template <class T>
std::int64_t lanes_of() {
    return 0;
}
template <SobelOutput output, class T>
void find_edges_in_registers(const SobelArgs<T>&, std::int64_t, std::int64_t) {}
#else
template <class T>
struct Lanes;

template <>
struct Lanes<std::uint8_t> {
    static constexpr hn::ScalableTag<std::int16_t> wide{};
    static constexpr hn::Rebind<std::uint8_t, hn::ScalableTag<std::int16_t> > bytes{};
    using V = hn::Vec<decltype(wide)>;

    static HWY_INLINE V load(const std::uint8_t* from) { return hn::PromoteTo(wide, hn::LoadU(bytes, from)); }
    static HWY_INLINE void store(V derivative, std::int16_t* to) { hn::StoreU(derivative, wide, to); }

    /// Roots of gx² + gy², rounded to nearest, for the half of the lanes that `half` takes.
    template <class Half>
    static HWY_INLINE auto roots(V gx, V gy, const Half& half) {
        const hn::Repartition<std::int32_t, decltype(wide)> integers;
        const hn::RebindToFloat<decltype(integers)> floats;
        const auto x = hn::PromoteTo(integers, half(gx)), y = hn::PromoteTo(integers, half(gy));
        return hn::NearestInt(hn::Sqrt(hn::ConvertTo(floats, hn::Add(hn::Mul(x, x), hn::Mul(y, y)))));
    }
    template <SobelOutput output>
    static HWY_INLINE void store_edges(V gx, V gy, std::uint8_t* to) {
        if constexpr (output == SobelOutput::half_sum) {
            const V sum = hn::Add(hn::Abs(gx), hn::Abs(gy));
            hn::StoreU(hn::DemoteTo(bytes, hn::ShiftRight<1>(sum)), bytes, to);  // saturates
        } else {
            const hn::Half<decltype(wide)> half;
            const auto low = roots(gx, gy, [&](V v) HWY_ATTR { return hn::LowerHalf(half, v); });
            const auto high = roots(gx, gy, [&](V v) HWY_ATTR { return hn::UpperHalf(half, v); });
            hn::StoreU(hn::DemoteTo(bytes, hn::Combine(wide, hn::DemoteTo(half, high), hn::DemoteTo(half, low))), bytes,
                       to);
        }
    }
};

template <>
struct Lanes<float> {
    static constexpr hn::ScalableTag<float> wide{};
    using V = hn::Vec<decltype(wide)>;

    static HWY_INLINE V load(const float* from) { return hn::LoadU(wide, from); }
    static HWY_INLINE void store(V derivative, float* to) { hn::StoreU(derivative, wide, to); }
    template <SobelOutput output>
    static HWY_INLINE void store_edges(V gx, V gy, float* to) {
        const V edge = output == SobelOutput::half_sum ? hn::Mul(hn::Add(hn::Abs(gx), hn::Abs(gy)), hn::Set(wide, 0.5F))
                                                       : hn::Sqrt(hn::Add(hn::Mul(gx, gx), hn::Mul(gy, gy)));
        hn::StoreU(edge, wide, to);
    }
};

template <class T>
std::int64_t lanes_of() {
    return static_cast<std::int64_t>(hn::Lanes(Lanes<T>::wide));
}

template <class V>
HWY_INLINE V smooth_lanes(V a, V b, V c) {
    return hn::Add(hn::Add(a, c), hn::Add(b, b));
}

/// What a row contributes: right − left for Gx, left + 2·middle + right for Gy.
template <class T>
struct Terms {
    typename Lanes<T>::V difference, sum;
};
template <class T>
HWY_INLINE Terms<T> terms_of(const T* at, std::int64_t channels) {
    using L = Lanes<T>;
    const auto left = L::load(at - channels), right = L::load(at + channels);
    return {hn::Sub(right, left), smooth_lanes(left, L::load(at), right)};
}

template <SobelOutput output, class T, class Out>
HWY_INLINE void store_result(const Terms<T>& above, const Terms<T>& here, const Terms<T>& below, Out* to) {
    const auto gx = smooth_lanes(above.difference, here.difference, below.difference);
    const auto gy = hn::Sub(below.sum, above.sum);
    if constexpr (is_derivative(output))
        Lanes<T>::store(output == SobelOutput::gx ? gx : gy, to);
    else
        Lanes<T>::template store_edges<output>(gx, gy, to);
}

/// Rows y and y + 1, or y alone.
template <SobelOutput output, class T>
struct Pair {
    using Out = std::remove_pointer_t<decltype(out_of<output>(std::declval<SobelArgs<T> >()).pixels)>;

    Pair(const SobelArgs<T>& a, std::int64_t y, std::int64_t rows)
        : channels(a.in.channels), first(RowsAround<T>::of(a.in, y)), out(row_of(out_of<output>(a), y)) {
        const auto in = [&](std::int64_t row) { return row_of(a.in, std::min(row, a.in.height - 1)); };
        soon[0] = in(y + 3);
        soon[1] = in(y + 4);
        if (rows < 2) return;
        after = row_of(a.in, reflect(y + 2, a.in.height));
        next = row_of(out_of<output>(a), y + 1);
    }

    /// A register of each. The rows that come next are asked for meanwhile.
    HWY_INLINE void find(std::int64_t at) const {
        const auto above = terms_of(first.above + at, channels), here = terms_of(first.here + at, channels),
                   below = terms_of(first.below + at, channels);
        hwy::Prefetch(soon[0] + at);
        hwy::Prefetch(soon[1] + at);
        store_result<output>(above, here, below, out + at);
        if (next) store_result<output>(here, below, terms_of(after + at, channels), next + at);
    }

    std::int64_t channels;
    RowsAround<T> first;
    const T *after = nullptr, *soon[2];
    Out *out, *next = nullptr;
};

/// Samples that have neighbours on both sides, of rows y … y + rows − 1 (one or two), which fill registers. The first
/// and the last repeat some, so that those between are stored where a register's bytes begin.
template <SobelOutput output, class T>
void find_edges_in_registers(const SobelArgs<T>& a, std::int64_t y, std::int64_t rows) {
    const Pair<output, T> pair(a, y, rows);
    const std::int64_t channels = a.in.channels, lanes = lanes_of<T>(), end = a.samples() - channels;
    constexpr auto kSample = static_cast<std::int64_t>(sizeof(*pair.out));
    const auto place = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(pair.out + channels)) / kSample;
    pair.find(channels);
    std::int64_t at = channels + (lanes - place % lanes) % lanes;
    for (; at + lanes <= end; at += lanes) pair.find(at);
    if (at < end) pair.find(end - lanes);
}
#endif

/// Samples begin … end − 1 of a row: of the pixel at either end one, whose neighbours on both sides are the same, or
/// all.
template <SobelOutput output, class T>
void find_single_edges(const SobelArgs<T>& a, std::int64_t y, std::int64_t begin, std::int64_t end) {
    if constexpr (output == SobelOutput::gx && !std::is_same_v<T, float>)  // of floats they may be infinite
        if (end - begin == a.in.channels) {
            std::fill_n(row_of(a.derivative, y) + begin, a.in.channels, std::int16_t{0});
            return;
        }
    find_edges_at<output>(a, y, begin, end);
}

template <SobelOutput output, class T>
void find_edges_of(const SobelArgs<T>& a, Share share) {
    const std::int64_t channels = a.in.channels, length = a.samples(), lanes = lanes_of<T>();
    for_row_pairs(
        share, length, channels, lanes,
        [&](std::int64_t y, std::int64_t rows) { find_edges_in_registers<output>(a, y, rows); },
        [&](std::int64_t y, std::int64_t begin, std::int64_t end) { find_single_edges<output>(a, y, begin, end); });
}

template <class T>
void find_edges(const SobelArgs<T>& a, Share share) {
    switch (a.output) {
        case SobelOutput::half_sum: return find_edges_of<SobelOutput::half_sum>(a, share);
        case SobelOutput::magnitude: return find_edges_of<SobelOutput::magnitude>(a, share);
        case SobelOutput::gx: return find_edges_of<SobelOutput::gx>(a, share);
        case SobelOutput::gy: return find_edges_of<SobelOutput::gy>(a, share);
    }
}
void find_edges_of_bytes(const SobelArgs<std::uint8_t>& a, Share share) { find_edges(a, share); }
void find_edges_of_floats(const SobelArgs<float>& a, Share share) { find_edges(a, share); }

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace {
HWY_EXPORT(find_edges_of_bytes);
HWY_EXPORT(find_edges_of_floats);

template <class T, class Find>
void find_in_rows(const SobelArgs<T>& a, Team team, Find find) {
    if (!a.empty()) in_shares_of_row_pairs(team, a.in, [&](Share share) { find(a, share); });
}
void launch_bytes(const SobelArgs<std::uint8_t>& a, Team team) {
    find_in_rows(a, team, HWY_DYNAMIC_DISPATCH(find_edges_of_bytes));
}
void launch_floats(const SobelArgs<float>& a, Team team) {
    find_in_rows(a, team, HWY_DYNAMIC_DISPATCH(find_edges_of_floats));
}
}  // namespace

LANEWORK_RUNG(sobel, simd,
              {
                  .climbs_from = "serial",
                  .lesson = "Two rows at a time share their terms: unaligned loads, 16-bit lanes, and all threads.",
                  .launch = {launch_bytes, launch_floats},
              });
#endif
