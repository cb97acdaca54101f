// A strip of a row in three steps, on all threads: registers of positions; then the taps, fetched one by one into tight
// arrays, since memory gives no more than that; then registers of weighted sums, in 16 bits for bytes.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/warp/cpu/simd.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set, so its header comes second.
#include <hwy/highway.h>

#include <hwy/cache_control.h>

#include <cstring>

#include "ops/warp/cpu/strips-inl.hpp"
#include "src/cpu/in_shares.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Asks for what the same columns will need some rows later. A turned image is read along slanted lines, which no
/// processor foresees. (Inline: GCC takes a function that only asks for memory for one that does nothing.)
template <int channels, class Number, class T>
HWY_INLINE void prefetch(const WarpArgs<T>& a, const ColumnTerms<Number>& columns, std::int64_t y, std::int64_t left,
                         int count) {
    constexpr int kLineBytes = 64, kPixelBytes = channels * static_cast<int>(sizeof(T));
    constexpr int kStep = std::max(kLineBytes / 2 / kPixelBytes, 1);  // what lies between is asked for a row later
    const auto row = row_terms<Number>(a.to_in, y);
    for (int i = 0; i < count; i += kStep) {
        const auto site = site_of(columns[i], row);
        if (is_inside(a.in, site)) hwy::Prefetch(row_of(a.in, site.y) + std::int64_t{site.x} * channels);
    }
    const T* out = row_of(a.out, y) + left * channels;
    for (int i = 0; i < count * channels; i += kLineBytes / static_cast<int>(sizeof(T))) hwy::Prefetch(out + i);
}

template <int channels, class Number, class T>
void rows_of_strips(const WarpArgs<T>& a, Share rows) {
    constexpr std::int64_t kAhead = 4;  // rows
    Strip<T, std::conditional_t<sizeof(T) == 1 && std::is_integral_v<Number>, std::uint8_t, float> > strip{};
    ColumnTerms<Number> columns{};
    alignas(64) T border[channels * kStrip];
    for (int i = 0; i < channels * kStrip; ++i) border[i] = a.border[static_cast<std::size_t>(i % channels)];
    const auto copy = [](T* out, const T* from, int begin, int end) {
        std::memcpy(out + begin * channels, from + begin * channels,
                    sizeof(T) * static_cast<std::size_t>((end - begin) * channels));
    };
    for (std::int64_t left = 0; left < a.out.width; left += kStrip) {
        const auto count = static_cast<int>(std::min<std::int64_t>(kStrip, a.out.width - left));
        columns.fill(a.to_in, left, count);
        for (std::int64_t y = rows.begin; y < rows.end; ++y) {
            if (y + kAhead < rows.end) prefetch<channels>(a, columns, y + kAhead, left, count);
            const auto row = row_terms<Number>(a.to_in, y);
            if constexpr (std::is_same_v<Number, std::int32_t>)
                locate_registers(strip, columns, row, count);
            else
                locate(strip, columns, row, count);
            const Span seen = fetch<channels>(strip, a, count);
            if (seen.begin < seen.end) blend_registers<channels>(strip, count);
            T* out = row_of(a.out, y) + left * channels;
            copy(out, border, 0, seen.begin);
            copy(out, strip.out, seen.begin, seen.end);
            copy(out, border, seen.end, count);
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
