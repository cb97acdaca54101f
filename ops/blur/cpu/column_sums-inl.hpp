// Bytes blurred by way of sums down the columns, with Highway, read once for each instruction set: of four rows they
// are made once for two rows of results. Even and odd samples are kept apart in 16-bit lanes, so that nothing is
// widened.
#if defined(LANEWORK_BLUR_COLUMN_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWORK_BLUR_COLUMN_SUMS_INL
#undef LANEWORK_BLUR_COLUMN_SUMS_INL
#else
#define LANEWORK_BLUR_COLUMN_SUMS_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "ops/blur/operation.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
/// Two rows of `length` samples that are blurred, or one.
struct RowPair {
    const std::uint8_t* in[4];    ///< from the first's upper neighbour to the second's lower one
    const std::uint8_t* soon[2];  ///< rows that will be needed next
    std::uint8_t* out[2];         ///< the second is null where there is none
    std::int64_t length;
};

/// a + 2·b + c down the columns of a stretch, and 2, which rounds the result: of both rows, even and odd samples apart.
template <int channels>
class ColumnSums {
    using Bytes = hn::ScalableTag<std::uint8_t>;
    using Pairs = hn::Repartition<std::uint16_t, Bytes>;
    using V = hn::Vec<Pairs>;
    static constexpr int kStretch = 2048;              ///< samples that are worked on together
    static constexpr int kBefore = 2 * HWY_MAX_BYTES;  ///< room for those before them
    static constexpr int kRoom = kBefore + kStretch + 2 * HWY_MAX_BYTES;

public:
    /// A row has a register of samples and one pixel more.
    static HWY_INLINE void blur(const RowPair& rows) {
        const int lanes = static_cast<int>(hn::Lanes(Bytes()));
        ColumnSums sums;
        // Results are stored where cache lines begin, but for the first: an even number of samples from the row's
        // begin.
        const auto beyond = static_cast<int>(reinterpret_cast<std::uintptr_t>(rows.out[0]) % HWY_MAX_BYTES);
        const std::int64_t head = beyond == 0 ? 0 : (HWY_MAX_BYTES - beyond) % lanes / 2 * 2;
        for (std::int64_t begin = head; begin < rows.length; begin += kStretch) {
            const std::int64_t end = std::min(begin + kStretch, rows.length);
            sums.fill(rows, begin, end);
            for (int row = 0; row < 2 && rows.out[row]; ++row) {
                std::uint8_t* const out = rows.out[row] + begin;
                if (begin == head && head > 0) hn::StoreU(sums.blurred(row, -head), Bytes(), rows.out[row]);
                std::int64_t i = 0;
                for (; i + lanes <= end - begin; i += lanes) hn::StoreU(sums.blurred(row, i), Bytes(), out + i);
                if (i < end - begin) store_some(sums.blurred(row, i), out + i, end - begin - i);
            }
        }
    }

private:
    /// Those that results begin … end − 1 are made of, and of the first stretch those from the row's begin on.
    HWY_INLINE void fill(const RowPair& rows, std::int64_t begin, std::int64_t end) {
        const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(Bytes()));
        const std::int64_t past = std::min(end + lanes, rows.length);
        const bool first = begin < kStretch, last = past == rows.length;
        std::int64_t at = first ? begin : begin - lanes;
        if (first && begin > 0) add_columns(rows, 0, -begin);
        for (; at + lanes <= past; at += lanes) add_columns(rows, at, at - begin);
        if (at < past) {  // a register more, from an even place on
            const std::int64_t back = (past - lanes - begin) & ~std::int64_t{1};
            add_columns(rows, begin + back, back);
            add_column(rows, past - 1, past - 1 - begin);
        }
        // The border is reflected.
        for (int row = 0; row < 2; ++row)
            for (int c = 0; c < channels; ++c) {
                if (first) sample(row, c - channels - begin) = sample(row, c + channels - begin);
                if (last) sample(row, past + c - begin) = sample(row, past + c - 2 * channels - begin);
            }
    }

    /// Of a register of samples `at`, which are those from `place` on in the stretch, an even number.
    HWY_INLINE void add_columns(const RowPair& rows, std::int64_t at, std::int64_t place) {
        const V low = hn::Set(Pairs(), 0x00FF), rounding = hn::Set(Pairs(), 2);
        V even[4], odd[4];
        for (int r = 0; r < 4; ++r) {
            const V both = hn::BitCast(Pairs(), hn::LoadU(Bytes(), rows.in[r] + at));
            even[r] = hn::And(both, low);
            odd[r] = hn::ShiftRight<8>(both);
        }
        hwy::Prefetch(rows.soon[0] + at);
        hwy::Prefetch(rows.soon[1] + at);
        const V even_middle = hn::Add(hn::Add(even[1], even[2]), rounding);
        const V odd_middle = hn::Add(hn::Add(odd[1], odd[2]), rounding);
        const std::int64_t i = (kBefore + place) / 2;
        hn::StoreU(hn::Add(hn::Add(even[0], even[1]), even_middle), Pairs(), sums_[0][0] + i);
        hn::StoreU(hn::Add(hn::Add(odd[0], odd[1]), odd_middle), Pairs(), sums_[0][1] + i);
        hn::StoreU(hn::Add(hn::Add(even[2], even[3]), even_middle), Pairs(), sums_[1][0] + i);
        hn::StoreU(hn::Add(hn::Add(odd[2], odd[3]), odd_middle), Pairs(), sums_[1][1] + i);
    }
    void add_column(const RowPair& rows, std::int64_t at, std::int64_t place) {
        for (int row = 0; row < 2; ++row)
            sample(row, place) =
                static_cast<std::uint16_t>(rows.in[row][at] + 2 * rows.in[row + 1][at] + rows.in[row + 2][at] + 2);
    }

    /// A register of results from `place` on, an even number.
    HWY_INLINE hn::Vec<Bytes> blurred(int row, std::int64_t place) const {
        const std::int64_t i = (kBefore + place) / 2;
        const V even_sum = sum(row, i, 0), odd_sum = sum(row, i, 1);
        const V high = hn::And(hn::ShiftLeft<4>(odd_sum), hn::Set(Pairs(), 0xFF00));
        return hn::BitCast(Bytes(), hn::Or(hn::ShiftRight<4>(even_sum), high));
    }
    /// Of the even or the odd samples, whose neighbours are among the others where a pixel is an odd number of samples.
    HWY_INLINE V sum(int row, std::int64_t i, int odd) const {
        const std::uint16_t* const neighbours = sums_[row][(odd + channels) % 2];
        const V left = hn::LoadU(Pairs(), neighbours + i - (channels + 1 - odd) / 2);
        const V here = hn::LoadU(Pairs(), sums_[row][odd] + i);
        const V right = hn::LoadU(Pairs(), neighbours + i + (channels + odd) / 2);
        return hn::Add(hn::Add(left, right), hn::Add(here, here));
    }
    std::uint16_t& sample(int row, std::int64_t place) {
        return sums_[row][(kBefore + place) % 2][(kBefore + place) / 2];
    }

    static HWY_INLINE void store_some(hn::Vec<Bytes> values, std::uint8_t* to, std::int64_t count) {
        alignas(64) std::uint8_t some[HWY_MAX_BYTES];
        hn::Store(values, Bytes(), some);
        std::memcpy(to, some, static_cast<std::size_t>(count));
    }

    alignas(64) std::uint16_t sums_[2][2][kRoom / 2];
};
#endif

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#endif
