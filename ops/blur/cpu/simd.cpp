// Two rows at a time, a register of samples each, on all threads: of four rows the sums along the row are made once and
// serve both. Bytes are summed in 16-bit lanes, the even and the odd ones apart, so that nothing has to be widened.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/blur/cpu/simd.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set, so its header comes second.
#include <hwy/highway.h>

#include <hwy/cache_control.h>

#include "ops/blur/cpu/sample.hpp"
#include "src/image/row_pairs.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR  // a processor without vectors: nothing but single samples
template <class T>
std::int64_t lanes_of() {
    return 0;
}
template <class T>
void blur_registers(const BlurArgs<T>&, std::int64_t, std::int64_t) {}
#else
template <class T>
std::int64_t lanes_of() {
    return static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<T>()));
}

template <class T>
struct Lanes;

/// A register of bytes is two of 16-bit lanes.
template <>
struct Lanes<std::uint8_t> {
    static constexpr hn::ScalableTag<std::uint8_t> bytes{};
    static constexpr hn::Repartition<std::uint16_t, hn::ScalableTag<std::uint8_t> > pairs{};
    using V = hn::Vec<decltype(pairs)>;
    struct Sum {
        V even, odd;
    };

    static HWY_INLINE Sum load(const std::uint8_t* from) {
        const V v = hn::BitCast(pairs, hn::LoadU(bytes, from));
        return {hn::And(v, hn::Set(pairs, 0x00FF)), hn::ShiftRight<8>(v)};
    }
    static HWY_INLINE V smooth_lanes(V a, V b, V c) { return hn::Add(hn::Add(a, c), hn::Add(b, b)); }
    static HWY_INLINE Sum smooth_sums(const Sum& a, const Sum& b, const Sum& c) {
        return {smooth_lanes(a.even, b.even, c.even), smooth_lanes(a.odd, b.odd, c.odd)};
    }
    static HWY_INLINE void store(const Sum& sum, std::uint8_t* to) {
        const V even = hn::ShiftRight<4>(hn::Add(sum.even, hn::Set(pairs, 8)));
        const V odd = hn::And(hn::ShiftLeft<4>(hn::Add(sum.odd, hn::Set(pairs, 8))), hn::Set(pairs, 0xFF00));
        hn::StoreU(hn::BitCast(bytes, hn::Or(even, odd)), bytes, to);
    }
};

template <>
struct Lanes<float> {
    static constexpr hn::ScalableTag<float> floats{};
    using Sum = hn::Vec<decltype(floats)>;

    static HWY_INLINE Sum load(const float* from) { return hn::LoadU(floats, from); }
    static HWY_INLINE Sum smooth_sums(Sum a, Sum b, Sum c) { return hn::Add(hn::Add(a, c), hn::Add(b, b)); }
    static HWY_INLINE void store(Sum sum, float* to) { hn::StoreU(hn::Mul(sum, hn::Set(floats, 0.0625F)), floats, to); }
};

template <class T>
HWY_INLINE typename Lanes<T>::Sum sum_along(const T* row, std::int64_t at, std::int64_t channels) {
    using L = Lanes<T>;
    return L::smooth_sums(L::load(row + at - channels), L::load(row + at), L::load(row + at + channels));
}

/// A register of rows y and y + 1, which may be one and the same, at the samples from `at` on.
template <class T>
HWY_INLINE void blur_pair(const RowsAround<T>& first, const T* after, std::int64_t at, std::int64_t channels, T* out,
                          T* next) {
    using L = Lanes<T>;
    const auto a = sum_along(first.above, at, channels), b = sum_along(first.here, at, channels),
               c = sum_along(first.below, at, channels);
    L::store(L::smooth_sums(a, b, c), out + at);
    if (next) L::store(L::smooth_sums(b, c, sum_along(after, at, channels)), next + at);
}

/// Asks for the samples at `at` of those rows that rows `y` and `y + 1` will read and write first.
template <class T>
HWY_INLINE void prefetch_pair(const BlurArgs<T>& a, std::int64_t y, std::int64_t at) {
    const std::int64_t last = a.in.height - 1;
    hwy::Prefetch(row_of(a.in, std::min(y + 1, last)) + at);
    hwy::Prefetch(row_of(a.in, std::min(y + 2, last)) + at);
    hwy::Prefetch(row_of(a.out, std::min(y, last)) + at);
    hwy::Prefetch(row_of(a.out, std::min(y + 1, last)) + at);
}

/// Samples that have neighbours on both sides, of rows y … y + rows − 1 (one or two), which fill registers. Rows are
/// too short for a processor to see which are next.
template <class T>
void blur_registers(const BlurArgs<T>& a, std::int64_t y, std::int64_t rows) {
    const std::int64_t channels = a.in.channels, lanes = lanes_of<T>(), end = a.in.width * channels - channels;
    const auto first = RowsAround<T>::of(a.in, y);
    const T* after = rows == 2 ? row_of(a.in, reflect(y + 2, a.in.height)) : nullptr;
    T *const out = row_of(a.out, y), *const next = rows == 2 ? row_of(a.out, y + 1) : nullptr;
    std::int64_t at = channels;
    for (; at + lanes <= end; at += lanes) {
        prefetch_pair(a, y + 2, at);
        blur_pair(first, after, at, channels, out, next);
    }
    if (at < end) blur_pair(first, after, end - lanes, channels, out, next);  // some of them a second time
}
#endif

template <class T>
void blur_share(const BlurArgs<T>& a, Share share) {
    const std::int64_t channels = a.in.channels, length = a.in.width * channels, lanes = lanes_of<T>();
    for_row_pairs(
        share, length, channels, lanes, [&](std::int64_t y, std::int64_t rows) { blur_registers(a, y, rows); },
        [&](std::int64_t y, std::int64_t begin, std::int64_t end) { blur_samples(a, y, begin, end); });
}
void blur_bytes(const BlurArgs<std::uint8_t>& a, Share share) { blur_share(a, share); }
void blur_floats(const BlurArgs<float>& a, Share share) { blur_share(a, share); }

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace {
HWY_EXPORT(blur_bytes);
HWY_EXPORT(blur_floats);

template <class T, class Blur>
void blur_rows(const BlurArgs<T>& a, Team team, Blur blur) {
    if (!a.empty()) in_shares_of_row_pairs(team, a.in, [&](Share share) { blur(a, share); });
}
void launch_bytes(const BlurArgs<std::uint8_t>& a, Team team) { blur_rows(a, team, HWY_DYNAMIC_DISPATCH(blur_bytes)); }
void launch_floats(const BlurArgs<float>& a, Team team) { blur_rows(a, team, HWY_DYNAMIC_DISPATCH(blur_floats)); }
}  // namespace

LANEWORK_RUNG(blur, simd,
              {
                  .climbs_from = "serial",
                  .lesson = "Two rows at a time share their sums; bytes are summed in 16-bit lanes, on all threads.",
                  .launch = {launch_bytes, launch_floats},
              });
#endif
