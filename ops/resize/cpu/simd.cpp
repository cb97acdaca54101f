// Two weighted rows are kept while a thread walks down a tile of columns; eight bytes of a row are shuffled into pairs
// that one instruction weighs, and 16-bit lanes blend the rows.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/resize/cpu/simd.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set, so its header comes second.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstring>
#include <utility>

#include "ops/resize/cpu/halves-inl.hpp"
#include "ops/resize/cpu/tile.hpp"
#include "src/cpu/share.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int kSumShift = 4;  // of sums along a row, so that they fit 16 bits: what opencv_blend does to them too

/// Stores a vector of results, or the first `count` of them.
template <class D, class V, class T>
HWY_INLINE void store_some(D d, V values, T* to, std::int64_t count) {
    if (count >= static_cast<std::int64_t>(hn::Lanes(d))) return hn::StoreU(values, d, to);
    HWY_ALIGN T some[HWY_MAX_BYTES / sizeof(T)];
    hn::Store(values, d, some);
    std::memcpy(to, some, static_cast<std::size_t>(count) * sizeof(T));
}

#if HWY_TARGET == HWY_SCALAR  // a processor without vectors
constexpr bool kHasVectors = false;
void sum_groups(const std::uint8_t*, const TileGroups&, std::uint16_t*) {}
void sum_spans(const std::uint8_t*, const TileSpans&, std::uint16_t*, std::int64_t) {}
int span_bytes() { return 0; }
#else
constexpr bool kHasVectors = true;
/// Bytes in their order, weighed in pairs, shifted right and stored as 16 bits.
template <class Bytes, class V>
HWY_INLINE void weigh(Bytes, V ordered, const std::int16_t* weights, std::uint16_t* sums) {
    const hn::Repartition<std::int16_t, Bytes> pairs;
    const hn::Repartition<std::int32_t, Bytes> wide;
    const hn::Rebind<std::int16_t, decltype(wide)> narrow;
    auto odd = hn::Zero(wide);
    const auto even =
        hn::ReorderWidenMulAccumulate(wide, hn::BitCast(pairs, ordered), hn::Load(pairs, weights), hn::Zero(wide), odd);
    const auto sum = hn::ShiftRight<kSumShift>(hn::RearrangeToOddPlusEven(even, odd));
    hn::StoreU(hn::DemoteTo(narrow, sum), narrow, reinterpret_cast<std::int16_t*>(sums));
}

/// Groups of four samples out of two short loads.
void sum_groups(const std::uint8_t* row, const TileGroups& groups, std::uint16_t* sums) {
    const hn::FixedTag<std::uint8_t, 2 * kWindow> bytes;
    const hn::Half<decltype(bytes)> window;
    for (int group = 0; group < groups.count; ++group) {
        const std::int32_t* base = groups.base[group];
        const auto both = hn::Combine(bytes, hn::LoadU(window, row + base[1]), hn::LoadU(window, row + base[0]));
        weigh(bytes, hn::TableLookupBytesOr0(both, hn::Load(bytes, groups.order[group])), groups.weights[group],
              sums + kGroup * group);
    }
}

/// A vector of samples out of one load. The row that lies `ahead` bytes after this one is asked for meanwhile.
void sum_spans(const std::uint8_t* row, const TileSpans& spans, std::uint16_t* sums, std::int64_t ahead) {
    const hn::ScalableTag<std::uint8_t> bytes;
    const hn::Repartition<std::uint32_t, decltype(bytes)> words;
    const auto samples = static_cast<int>(hn::Lanes(words));
    for (int span = 0, at = 0; span < spans.count; ++span, at += samples) {
        hwy::Prefetch(row + spans.base[span] + ahead);
        const auto loaded = hn::BitCast(words, hn::LoadU(bytes, row + spans.base[span]));
        const auto spread = hn::TableLookupLanes(loaded, hn::SetTableIndices(words, spans.lanes + at));
        weigh(bytes, hn::TableLookupBytesOr0(hn::BitCast(bytes, spread), hn::Load(bytes, spans.order + 4 * at)),
              spans.weights + 2 * at, sums + at);
    }
}

int span_bytes() { return static_cast<int>(hn::Lanes(hn::ScalableTag<std::uint8_t>())); }
#endif

/// Of 8-bit samples in integers: sums along a row are kept in 16 bits.
struct IntegerRows {
    using T = std::uint8_t;
    using Sum = std::uint16_t;
    using Arithmetic = Bilinear<T, Convention::opencv>;

    TileSamples<Arithmetic> samples;
    TileGroups groups;
    TileSpans spans;
    bool spanned = false, grouped = false;

    void fill(const ResizePair<T>& pair, Convention convention, std::int64_t begin, int count) {
        fill_samples(samples, pair, convention, begin, count);
        const std::int64_t row_bytes = pair.in.width * pair.in.channels;
        spanned = kHasVectors && fill_spans(spans, samples, row_bytes, span_bytes());
        grouped = kHasVectors && !spanned && fill_groups(groups, samples, row_bytes);
    }
    void along(const T* row, Sum* sums, std::int64_t ahead) const {
        if (spanned) return sum_spans(row, spans, sums, ahead);
        if (grouped) return sum_groups(row, groups, sums);
        for (int i = 0; i < samples.count; ++i)
            sums[i] = static_cast<Sum>(
                Arithmetic::along(row[samples.first[i]], row[samples.second[i]], samples.weights[i]) >> kSumShift);
    }
    /// What opencv_blend computes: the high half of a 16-bit product is the product >> 16.
    static void down(const Sum* above, const Sum* below, const Tap& tap, T* out, std::int64_t count) {
        const hn::ScalableTag<std::uint16_t> wide;
        const hn::RebindToSigned<decltype(wide)> integers;
        const hn::Rebind<std::uint8_t, decltype(wide)> bytes;
        const auto lanes = static_cast<std::int64_t>(hn::Lanes(wide));
        const auto two = hn::Set(wide, 2);
        const auto first = hn::Set(wide, static_cast<std::uint16_t>(first_weight(tap)));
        const auto second = hn::Set(wide, static_cast<std::uint16_t>(second_weight(tap)));
        for (std::int64_t i = 0; i < count; i += lanes) {
            const auto a = hn::MulHigh(hn::LoadU(wide, above + i), first);
            const auto b = hn::MulHigh(hn::LoadU(wide, below + i), second);
            const auto sum = hn::ShiftRight<2>(hn::Add(hn::Add(a, b), two));
            store_some(bytes, hn::DemoteTo(bytes, hn::BitCast(integers, sum)), out + i, count - i);
        }
    }
};

/// Of either type in floats.
template <class Sample, class Arithmetic>
struct FloatRows {
    using T = Sample;
    using Sum = float;
    static constexpr bool kHalf = std::is_same_v<Arithmetic, HalfMean<float>>;
    TileSamples<Arithmetic> samples;

    void fill(const ResizePair<T>& pair, Convention convention, std::int64_t begin, int count) {
        fill_samples(samples, pair, convention, begin, count);
    }
    void along(const T* row, Sum* sums, std::int64_t) const {
        for (int i = 0; i < samples.count; ++i)
            sums[i] = Arithmetic::along(row[samples.first[i]], row[samples.second[i]], samples.weights[i]);
    }
    static void down(const Sum* above, const Sum* below, const Tap& tap, T* out, std::int64_t count) {
        const hn::ScalableTag<float> floats;
        const auto lanes = static_cast<std::int64_t>(hn::Lanes(floats));
        const auto first = hn::Set(floats, 1.0F - tap.fraction), second = hn::Set(floats, tap.fraction);
        for (std::int64_t i = 0; i < count; i += lanes) {
            const auto a = hn::LoadU(floats, above + i), b = hn::LoadU(floats, below + i);
            const auto sum =
                kHalf ? hn::Mul(hn::Add(a, b), hn::Set(floats, 0.25F)) : hn::Add(hn::Mul(a, first), hn::Mul(b, second));
            if constexpr (std::is_same_v<T, float>) {
                store_some(floats, sum, out + i, count - i);
            } else {
                const hn::Rebind<std::uint8_t, decltype(floats)> bytes;
                store_some(bytes, hn::DemoteTo(bytes, hn::NearestInt(sum)), out + i, count - i);
            }
        }
    }
};

/// Rows share.begin … share.end−1 of the output, tile by tile.
template <class Rows, class T>
void walk(const ResizePair<T>& pair, Convention convention, Share share) {
    Rows rows;
    alignas(64) typename Rows::Sum sums[2][kTileSamples + kSlack] = {};
    const std::int64_t samples = pair.out.width * pair.out.channels;
    for (std::int64_t begin = 0; begin < samples; begin += kTileSamples) {
        const int count = static_cast<int>(std::min<std::int64_t>(kTileSamples, samples - begin));
        rows.fill(pair, convention, begin, count);
        auto *above = sums[0], *below = sums[1];
        std::int64_t above_row = -1, below_row = -1;
        for (std::int64_t y = share.begin; y < share.end; ++y) {
            const Tap tap = row_tap_of(pair, convention, y);
            const std::int64_t ahead = bytes_to_next_rows(pair, convention, y);
            if (tap.first == below_row || tap.second == above_row) {
                std::swap(above, below);
                std::swap(above_row, below_row);
            }
            if (tap.first != above_row) rows.along(row_of(pair.in, above_row = tap.first), above, ahead);
            if (tap.second != below_row) rows.along(row_of(pair.in, below_row = tap.second), below, ahead);
            rows.down(above, below, tap, row_of(pair.out, y) + begin, count);
        }
    }
}

void resize_bytes(const ResizePair<std::uint8_t>& pair, Convention convention, Share share) {
    using T = std::uint8_t;
    if (convention != Convention::opencv)
        return walk<FloatRows<T, Bilinear<T, Convention::floating>>>(pair, convention, share);
    if (pair.half) return halve(pair, share);
    walk<IntegerRows>(pair, convention, share);
}

void resize_floats(const ResizePair<float>& pair, Convention convention, Share share) {
    if (pair.half) return walk<FloatRows<float, HalfMean<float>>>(pair, convention, share);
    walk<FloatRows<float, Bilinear<float, Convention::floating>>>(pair, convention, share);
}

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "src/cpu/in_shares.hpp"

namespace {
HWY_EXPORT(resize_bytes);
HWY_EXPORT(resize_floats);

constexpr std::int64_t kLeastBytes = 65536;  // of output, for a thread to be worth its start

template <class T>
void launch(const ResizeArgs<T>& a, Team team) {
    for (std::int64_t image = 0; image < a.out.count; ++image) {
        ResizePair<T> pair{};
        with_convention(a.convention, [&]<Convention convention>() { pair = pair_of<convention>(a, image); });
        if (pair.empty()) continue;
        const std::int64_t least = ceil_div(kLeastBytes, pair.out.width * pair.out.channels * std::int64_t{sizeof(T)});
        // Each share makes its own tables of columns, where there are any: then one for each thread.
        const std::int64_t rows =
            pair.half ? least : std::max(least, ceil_div(pair.out.height, std::int64_t{team.threads}));
        in_shares(team, pair.out.height, rows, [&](Share share) {
            if constexpr (std::is_same_v<T, float>)
                HWY_DYNAMIC_DISPATCH(resize_floats)(pair, a.convention, share);
            else
                HWY_DYNAMIC_DISPATCH(resize_bytes)(pair, a.convention, share);
        });
    }
}
}  // namespace

LANEWORK_RUNG(
    resize, simd,
    {
        .climbs_from = "serial",
        .lesson =
            "Bytes shuffled into pairs that one instruction weighs; two rows of sums are kept; rows on all threads.",
        .launch = {launch<std::uint8_t>, launch<float>},
    });
#endif
