// Two rows at a time on all threads: of four rows the sums are made once and serve both, of bytes those down the
// columns, of floats those along the rows.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/blur/cpu/simd.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set, so its header comes second.
#include <hwy/highway.h>

#include <hwy/cache_control.h>

#include "ops/blur/cpu/column_sums-inl.hpp"
#include "ops/blur/cpu/sample.hpp"
#include "src/pixels/row_pairs.hpp"
#include "src/pixels/run_time_choice.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR  // a processor without vectors: nothing but single samples
template <class T>
void blur_share(const BlurArgs<T>& a, Share share) {
    for (std::int64_t y = share.begin; y < share.end; ++y) blur_samples(a, y, 0, a.in.width * a.in.channels);
}
#else
void blur_share(const BlurArgs<std::uint8_t>& a, Share share) {
    const std::int64_t length = a.in.width * a.in.channels, last = a.in.height - 1;
    const bool wide = length >= static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<std::uint8_t>())) + a.in.channels;
    const auto in = [&](std::int64_t y) { return row_of(a.in, y); };
    for (std::int64_t y = share.begin; y < share.end; y += 2) {
        const bool both = y + 1 < share.end;
        if (!wide) {
            blur_samples(a, y, 0, length);
            if (both) blur_samples(a, y + 1, 0, length);
            continue;
        }
        const auto *const below = in(reflect(y + 1, a.in.height)), *const after =
                                                                       both ? in(reflect(y + 2, a.in.height)) : below;
        const RowPair rows{{in(reflect(y - 1, a.in.height)), in(y), below, after},
                           {in(std::min(y + 3, last)), in(std::min(y + 4, last))},
                           {row_of(a.out, y), both ? row_of(a.out, y + 1) : nullptr},
                           length};
        with_channels(a.in.channels, [&]<int channels>() { ColumnSums<channels>::blur(rows); });
    }
}

constexpr hn::ScalableTag<float> kFloats;
using V = hn::Vec<hn::ScalableTag<float> >;

HWY_INLINE V smooth_lanes(V a, V b, V c) { return hn::Add(hn::Add(a, c), hn::Add(b, b)); }
HWY_INLINE void store(V sum, float* to) { hn::StoreU(hn::Mul(sum, hn::Set(kFloats, 0.0625F)), kFloats, to); }
HWY_INLINE V sum_along(const float* row, std::int64_t at, std::int64_t channels) {
    const auto load = [&](std::int64_t i) HWY_ATTR { return hn::LoadU(kFloats, row + i); };
    return smooth_lanes(load(at - channels), load(at), load(at + channels));
}

/// A register of rows y and y + 1, which may be one and the same, at the samples from `at` on.
HWY_INLINE void blur_pair(const RowsAround<float>& first, const float* after, std::int64_t at, std::int64_t channels,
                          float* out, float* next) {
    const auto a = sum_along(first.above, at, channels), b = sum_along(first.here, at, channels),
               c = sum_along(first.below, at, channels);
    store(smooth_lanes(a, b, c), out + at);
    if (next) store(smooth_lanes(b, c, sum_along(after, at, channels)), next + at);
}

/// Asks for the samples at `at` of those rows that rows `y` and `y + 1` will read and write first.
HWY_INLINE void prefetch_pair(const BlurArgs<float>& a, std::int64_t y, std::int64_t at) {
    const std::int64_t last = a.in.height - 1;
    hwy::Prefetch(row_of(a.in, std::min(y + 1, last)) + at);
    hwy::Prefetch(row_of(a.in, std::min(y + 2, last)) + at);
    hwy::Prefetch(row_of(a.out, std::min(y, last)) + at);
    hwy::Prefetch(row_of(a.out, std::min(y + 1, last)) + at);
}

/// Samples that have neighbours on both sides, of rows y … y + rows − 1 (one or two), which fill registers. Rows are
/// too short for a processor to see which are next.
void blur_registers(const BlurArgs<float>& a, std::int64_t y, std::int64_t rows) {
    const std::int64_t channels = a.in.channels, lanes = static_cast<std::int64_t>(hn::Lanes(kFloats)),
                       end = a.in.width * channels - channels;
    const auto first = RowsAround<float>::of(a.in, y);
    const float* after = rows == 2 ? row_of(a.in, reflect(y + 2, a.in.height)) : nullptr;
    float *const out = row_of(a.out, y), *const next = rows == 2 ? row_of(a.out, y + 1) : nullptr;
    std::int64_t at = channels;
    for (; at + lanes <= end; at += lanes) {
        prefetch_pair(a, y + 2, at);
        blur_pair(first, after, at, channels, out, next);
    }
    if (at < end) blur_pair(first, after, end - lanes, channels, out, next);  // some of them a second time
}

void blur_share(const BlurArgs<float>& a, Share share) {
    for_row_pairs(
        share, a.in.width * a.in.channels, a.in.channels, static_cast<std::int64_t>(hn::Lanes(kFloats)),
        [&](std::int64_t y, std::int64_t rows) { blur_registers(a, y, rows); },
        [&](std::int64_t y, std::int64_t begin, std::int64_t end) { blur_samples(a, y, begin, end); });
}
#endif

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
