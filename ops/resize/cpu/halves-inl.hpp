// An exact half of 8-bit samples with Highway, read once for each instruction set: the same bytes of every vector are
// neighbours, so that nothing is looked up in tables.
#if defined(LANEWORK_RESIZE_HALVES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWORK_RESIZE_HALVES_INL
#undef LANEWORK_RESIZE_HALVES_INL
#else
#define LANEWORK_RESIZE_HALVES_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "ops/resize/pixel.hpp"
#include "src/cpu/share.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR  // a processor without vectors
template <int channels>
struct Halver {
    static void halve_row(const std::uint8_t* above, const std::uint8_t* below, std::uint8_t* out, std::int64_t samples,
                          std::int64_t) {
        for (std::int64_t i = 0; i < samples; ++i) {
            const std::int64_t left = 2 * i - i % channels;
            out[i] = blend<HalfMean<std::uint8_t>>(above, below, left, left + channels, {}, {});
        }
    }
};
#else
/// The bytes of a block of 16 in pairs, those that are next to each other in a channel; of three channels 12 are
/// paired.
template <int channels>
struct PairOrder {
    std::uint8_t from[64];

    static constexpr PairOrder of_block() {
        PairOrder order{};
        for (int i = 0; i < 64; ++i) {
            const int pair = i % 16 / 2, first = pair / channels * 2 * channels + pair % channels;
            order.from[i] = pair / channels >= 8 / channels ? 0x80 : std::uint8_t(first + i % 2 * channels);
        }
        return order;
    }
};

/// The vectors of an image with so many channels.
template <int channels>
struct Halver {
    static constexpr hn::CappedTag<std::uint8_t, 64> bytes{};
    static constexpr hn::Repartition<std::uint16_t, decltype(bytes)> pairs{};
    static constexpr hn::Repartition<std::uint32_t, decltype(bytes)> words{};
    /// Samples of the output that a vector of each row gives, and those that are written for it.
    static std::int64_t made() { return channels == 3 ? written() / 4 * 3 : written(); }
    static std::int64_t written() { return static_cast<std::int64_t>(hn::Lanes(pairs)); }

    static HWY_INLINE hn::Vec<decltype(pairs)> sums_along(const std::uint8_t* row) {
        auto samples = hn::LoadU(bytes, row);
        if constexpr (channels == 3) {  // twelve bytes to each block
            alignas(64) static constexpr std::uint32_t kSpread[] = {0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11};
            const auto spread = hn::IndicesFromVec(words, hn::Load(words, kSpread));
            samples = hn::BitCast(bytes, hn::TableLookupLanes(hn::BitCast(words, samples), spread));
        }
        if constexpr (channels > 1) {
            alignas(64) static constexpr auto kOrder = PairOrder<channels>::of_block();
            samples = hn::TableLookupBytesOr0(samples, hn::Load(bytes, kOrder.from));
        }
        const auto paired = hn::BitCast(pairs, samples);
        return hn::Add(hn::And(paired, hn::Set(pairs, 0x00FF)), hn::ShiftRight<8>(paired));
    }
    static HWY_INLINE void halve(const std::uint8_t* above, const std::uint8_t* below, std::uint8_t* out) {
        const hn::Rebind<std::uint8_t, decltype(pairs)> narrow;
        const hn::RebindToSigned<decltype(pairs)> integers;
        auto means = hn::ShiftRight<2>(hn::Add(hn::Add(sums_along(above), sums_along(below)), hn::Set(pairs, 2)));
        if constexpr (channels == 3) {  // without the gaps between blocks
            alignas(64) static constexpr std::uint32_t kKept[] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 0, 0, 0, 0};
            const auto in_vector = hn::Set(words, static_cast<std::uint32_t>(hn::Lanes(words)) - 1);
            const auto kept = hn::IndicesFromVec(words, hn::And(hn::Load(words, kKept), in_vector));
            means = hn::BitCast(pairs, hn::TableLookupLanes(hn::BitCast(words, means), kept));
        }
        hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(integers, means)), narrow, out);
    }

    /// What is left of a row, fewer samples than a vector writes, by way of arrays with room for whole vectors.
    static void halve_rest(const std::uint8_t* above, const std::uint8_t* below, std::uint8_t* out, std::int64_t rest) {
        alignas(64) std::uint8_t upper[128] = {}, lower[128] = {}, means[128];
        std::memcpy(upper, above, static_cast<std::size_t>(2 * rest));
        std::memcpy(lower, below, static_cast<std::size_t>(2 * rest));
        for (std::int64_t i = 0; i < rest; i += made()) halve(upper + 2 * i, lower + 2 * i, means + i);
        std::memcpy(out, means, static_cast<std::size_t>(rest));
    }
    /// A row of `samples`. What lies `ahead` bytes after what is read is asked for: the rows that are next, which a
    /// processor does not foresee.
    static HWY_INLINE void halve_row(const std::uint8_t* above, const std::uint8_t* below, std::uint8_t* out,
                                     std::int64_t samples, std::int64_t ahead) {
        std::int64_t i = 0;
        for (; i + written() <= samples; i += made()) {
            hwy::Prefetch(above + 2 * i + ahead);
            hwy::Prefetch(below + 2 * i + ahead);
            halve(above + 2 * i, below + 2 * i, out + i);
        }
        if (i < samples) halve_rest(above + 2 * i, below + 2 * i, out + i, samples - i);
    }
};

#endif

/// Rows share.begin … share.end−1 of the output.
template <int channels>
void halve_rows(const ResizePair<std::uint8_t>& pair, Share share) {
    for (std::int64_t y = share.begin; y < share.end; ++y)
        Halver<channels>::halve_row(row_of(pair.in, 2 * y), row_of(pair.in, 2 * y + 1), row_of(pair.out, y),
                                    pair.out.width * channels, y + 1 < share.end ? 2 * pair.in.pitch : 0);
}

void halve(const ResizePair<std::uint8_t>& pair, Share share) {
    if (pair.in.channels == 1) return halve_rows<1>(pair, share);
    if (pair.in.channels == 3) return halve_rows<3>(pair, share);
    halve_rows<4>(pair, share);
}

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#endif
