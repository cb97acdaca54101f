// Rows of 8-bit pixels mixed by OpenCV's integers with Highway: read once for each instruction set. What is needed of
// a source row is weighed once and kept in 16 bits until the next row of the output, which often needs it again.
#if defined(LANEWORK_BYTE_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWORK_BYTE_ROWS_INL
#undef LANEWORK_BYTE_ROWS_INL
#else
#define LANEWORK_BYTE_ROWS_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "src/pixels/fitted_source.hpp"

HWY_BEFORE_NAMESPACE();
namespace lanework::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

inline constexpr int kMostColumns = 1024;         // that are worked on together: their arrays stay in the first cache
inline constexpr int kArray = kMostColumns + 64;  // whole registers
using Whole = hn::ScalableTag<std::int32_t>;      // lanes of integers,
using Real = hn::Rebind<float, Whole>;            // and as many of floats

/// What there is of a column: its two pixels, their weights, its sums.
template <int channels>
using ColumnWord = std::conditional_t<channels == 1, std::uint32_t, std::uint64_t>;

/// The taps of some columns in the convention opencv.
template <int channels>
struct ByteTaps {
    using Word = ColumnWord<channels>;
    using Both = std::conditional_t<channels == 1, std::uint16_t, std::uint64_t>;  ///< pixels, as they lie in a row
    alignas(64) std::int32_t first[kArray], second[kArray];                        ///< samples from the row's begin
    alignas(64) Word weights[kArray];  ///< 16 bits each: the first's, the second's, and again
    int count = 0;
    int whole = 0;  ///< so many have both pixels in the word at `first`, and that does not reach beyond the row

    template <class Source>
    void prepare(const Source& source, std::int64_t x, int columns) {
        const std::int64_t last_word = source.image.width * channels - static_cast<std::int64_t>(sizeof(Both));
        count = columns;
        whole = 0;
        for (int i = 0; i < count; ++i) {
            const auto taps = source.columns(x + i);
            first[i] = taps.first * channels;
            second[i] = taps.second * channels;
            const auto pair =
                static_cast<std::uint32_t>(taps.first_weight) | static_cast<std::uint32_t>(taps.second_weight) << 16;
            weights[i] = pair;
            if constexpr (channels > 1) weights[i] |= Word{pair} << 32;
            if (first[i] <= last_word) whole = i + 1;
        }
        std::fill_n(weights + count, kArray - kMostColumns, Word{});
    }
    /// Both pixels of column i, one after the other. A pixel without weight may be another than the tap's.
    Word window(const std::uint8_t* row, int i) const {
        Both both;
        std::memcpy(&both, row + first[i], sizeof(both));
        return both;
    }
    Word window_at_the_end(const std::uint8_t* row, int i) const {
        Word both{};
        for (int c = 0; c < channels; ++c)
            both |= Word{row[first[i] + c]} << (8 * c) | Word{row[second[i] + c]} << (8 * (channels + c));
        return both;
    }
};

#if HWY_TARGET == HWY_SCALAR  // a processor without vectors: nothing is kept
template <int channels>
using ByteColumns = ByteTaps<channels>;

template <int channels, class Put>
void mix_row(const ImageView<const std::uint8_t>& image, const ByteTaps<channels>& taps,
             const Neighbours<std::int32_t>& rows, Put put) {
    for (int i = 0; i < taps.count; ++i)
        for (int c = 0; c < channels; ++c) {
            const auto in_row = [&](std::int32_t y) {
                const std::uint8_t* const row = row_of(image, y);
                return row[taps.first[i] + c] * static_cast<std::int32_t>(taps.weights[i] & 0xFFFF) +
                       row[taps.second[i] + c] * static_cast<std::int32_t>(taps.weights[i] >> 16 & 0xFFFF);
            };
            put(c, i, hn::Set(Whole(), down(rows, in_row(rows.first), in_row(rows.second))));
        }
}
#else
using Words = hn::Repartition<std::uint32_t, Whole>;
using Sixteens = hn::Repartition<std::int16_t, Whole>;
using Bytes = hn::Repartition<std::uint8_t, Whole>;

/// Channels `first` and `first + 1` of the pixels in windows, weighed: in each 32 bits a sum, in 2⁻⁷.
template <int channels, int first, class V>
HWY_INLINE hn::Vec<Words> weighed(V windows, V weights) {
    constexpr std::uint8_t kNone = 0x80, kSecond = channels + first;
    constexpr bool kTwo = first + 1 < channels;
    constexpr std::uint8_t kNext = kTwo ? first + 1 : kNone, kSecondOfNext = kTwo ? kSecond + 1 : kNone;
    constexpr std::uint8_t kEighth = 8, kLast = kTwo ? kEighth : 0;
    HWY_ALIGN static constexpr std::uint8_t kOrder[16] = {
        first,           kNone, kSecond,           kNone, kNext,         kNone, kSecondOfNext,         kNone,
        first + kEighth, kNone, kSecond + kEighth, kNone, kNext + kLast, kNone, kSecondOfNext + kLast, kNone};
    const Whole whole;
    const auto pairs = hn::BitCast(
        Sixteens(), hn::TableLookupBytesOr0(hn::BitCast(Bytes(), windows), hn::LoadDup128(Bytes(), kOrder)));
    auto odd = hn::Zero(whole);
    const auto even =
        hn::ReorderWidenMulAccumulate(whole, pairs, hn::BitCast(Sixteens(), weights), hn::Zero(whole), odd);
    return hn::ShiftRight<4>(hn::BitCast(Words(), hn::RearrangeToOddPlusEven(even, odd)));
}

/// Sums along a row of the source: 16 bits hold them. In a column's word are those of channels 0 and 2 in its lower
/// half, of 1 and 3 in its upper.
template <int channels>
struct KeptRow {
    using Word = ColumnWord<channels>;
    std::int32_t y = -1;
    alignas(64) Word sums[kArray];

    void weigh(const ImageView<const std::uint8_t>& image, const ByteTaps<channels>& taps, std::int32_t row) {
        const hn::ScalableTag<Word> columns;
        alignas(64) Word windows[kArray];
        fetch(image, taps, row, windows);
        y = row;
        std::fill_n(windows + taps.count, kArray - kMostColumns, Word{});
        for (int i = 0; i < taps.count; i += static_cast<int>(hn::Lanes(columns))) {
            const auto window = hn::Load(columns, windows + i), weights = hn::Load(columns, taps.weights + i);
            hn::Store(hn::BitCast(columns, sum(window, weights)), columns, sums + i);
        }
    }

private:
    /// The row that comes after this one is far from it: it is asked for meanwhile.
    void fetch(const ImageView<const std::uint8_t>& image, const ByteTaps<channels>& taps, std::int32_t row,
               Word* windows) const {
        constexpr int kPart = 16, kLine = 64;
        const auto last = static_cast<std::int32_t>(image.height - 1);
        const std::uint8_t *const from = row_of(image, row), *const next = row_of(
                                                                 image,
                                                                 y < 0 ? row : std::clamp(2 * row - y, row, last));
        int i = 0;
        for (; i + kPart <= taps.whole; i += kPart) {
            for (std::int32_t at = taps.first[i]; at < taps.first[i + kPart - 1]; at += kLine) hwy::Prefetch(next + at);
            for (int k = i; k < i + kPart; ++k) windows[k] = taps.window(from, k);
        }
        for (; i < taps.whole; ++i) windows[i] = taps.window(from, i);
        for (; i < taps.count; ++i) windows[i] = taps.window_at_the_end(from, i);
    }

    template <class V>
    static HWY_INLINE hn::Vec<Words> sum(V window, V weights) {
        if constexpr (channels == 1) {
            // two bytes in 32 bits
            const auto pair = hn::And(hn::Or(window, hn::ShiftLeft<8>(window)), hn::Set(Words(), 0x00FF00FF));
            auto odd = hn::Zero(Whole());
            const auto even = hn::ReorderWidenMulAccumulate(Whole(), hn::BitCast(Sixteens(), pair),
                                                            hn::BitCast(Sixteens(), weights), hn::Zero(Whole()), odd);
            return hn::ShiftRight<4>(hn::BitCast(Words(), hn::RearrangeToOddPlusEven(even, odd)));
        } else {
            return hn::Or(weighed<channels, 0>(window, weights),
                          hn::ShiftLeft<16>(weighed<channels, 2>(window, weights)));
        }
    }
};

/// Some columns, and the two rows that the last row of the output was made of.
template <int channels>
struct ByteColumns : ByteTaps<channels> {
    KeptRow<channels> rows[2];
    KeptRow<channels>*above = rows, *below = rows + 1;

    template <class Source>
    void prepare(const Source& source, std::int64_t x, int columns) {
        ByteTaps<channels>::prepare(source, x, columns);
        above->y = below->y = -1;
    }
    /// Makes the rows those of the next; of one without weight only `above`.
    void follow(const ImageView<const std::uint8_t>& image, const Neighbours<std::int32_t>& next) {
        if (below->y == next.first || above->y == next.second) std::swap(above, below);
        if (above->y != next.first) above->weigh(image, *this, next.first);
        if (next.second_weight != 0 && below->y != next.second) below->weigh(image, *this, next.second);
    }
};

/// Mixes the columns of one output row; put(channel, column, lanes) takes a register of them.
template <int channels, class Put>
HWY_INLINE void mix_row(const ImageView<const std::uint8_t>& image, ByteColumns<channels>& kept,
                        const Neighbours<std::int32_t>& rows, Put put) {
    const hn::ScalableTag<ColumnWord<channels> > columns;
    const hn::Repartition<std::uint16_t, Whole> sixteens;
    kept.follow(image, rows);
    const auto first = hn::Set(sixteens, static_cast<std::uint16_t>(rows.first_weight));
    const auto second = hn::Set(sixteens, static_cast<std::uint16_t>(rows.second_weight));
    const bool both = rows.second_weight != 0;
    // opencv_blend: the upper half of a product of 16 bits is the product >> 16
    const auto blended = [&](int i) HWY_ATTR {
        auto sum = hn::MulHigh(hn::BitCast(sixteens, hn::Load(columns, kept.above->sums + i)), first);
        if (both)
            sum = hn::Add(sum, hn::MulHigh(hn::BitCast(sixteens, hn::Load(columns, kept.below->sums + i)), second));
        return hn::BitCast(Words(), hn::ShiftRight<2>(hn::Add(sum, hn::Set(sixteens, 2))));
    };
    const int step = static_cast<int>(hn::Lanes(Whole()));
    const auto lower = hn::Set(Words(), 0xFFFF);
    const auto lanes = [](auto words) HWY_ATTR { return hn::BitCast(Whole(), words); };
    for (int i = 0; i < kept.count; i += step) {
        if constexpr (channels == 1) {
            put(0, i, lanes(blended(i)));
        } else {
            const auto left = blended(i), right = blended(i + step / 2);
            const auto even = hn::ConcatEven(Words(), right, left), odd = hn::ConcatOdd(Words(), right, left);
            put(0, i, lanes(hn::And(even, lower)));
            put(1, i, lanes(hn::And(odd, lower)));
            put(2, i, lanes(hn::ShiftRight<16>(even)));
            if constexpr (channels == 4) put(3, i, lanes(hn::ShiftRight<16>(odd)));
        }
    }
}
#endif

}  // namespace lanework::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
