// The 8-bit pixels of a strip by words: both neighbours of each channel come out of two or three words as pairs of
// bytes, a pair is weighed by one instruction, and what four lanes computed is stored as whole words.
#pragma once

#include "ops/resize/sample_by_sample.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Two bytes for each channel, first | second << 8: channels 0 and 1 in the halves of word 0, 2 and 3 in those of 1.
struct BytePairs {
    std::uint32_t words[2];
};

/// Channel `c` of two pixels, in the low half for c even and in the high half for c odd.
template <int c>
__device__ std::uint32_t pair_sum(std::uint32_t weights, const BytePairs& pairs) {
    return c % 2 == 0 ? __dp2a_lo(weights, pairs.words[c / 2], 0u) : __dp2a_hi(weights, pairs.words[c / 2], 0u);
}
/// One byte of a channel's pair as a float: put into the mantissa of 2²³, which is then taken away.
template <int c, int second>
__device__ float byte_of_pair(const BytePairs& pairs) {
    constexpr unsigned kSelector = 0x7440u | (2 * (c % 2) + second);
    return __uint_as_float(__byte_perm(pairs.words[c / 2], 0x4B000000u, kSelector)) - 8388608.0F;
}

/// Where floats have a unit of 1, so that rounding is to whole numbers. The low 16 bits of such a float are free.
inline constexpr float kUnits = 8388608.0F /* 2²³ */, kRoom = 524288.0F /* 2¹⁹ */;

/// How OpenCV's integers are computed here: sums along a row by one dot product of 16-bit weights with bytes. Scaled by
/// 2⁴, the bytes 1 and 2 of a sum are the sum >> 4 of opencv_blend, and are used as the mantissa of a float. The sum of
/// two such times their weights, each rounded down, is two fused multiply-adds that round down.
struct OpencvWords {
    static constexpr int kShift = 2;  ///< from a result to the byte
    using Column = std::uint32_t;     ///< both weights in 2⁻¹⁵
    struct Row {
        float first, second, base;
    };
    using Sum = float;  ///< 2²³ + (sum >> 4)
    static __device__ Column column(const Tap& tap) {
        return static_cast<std::uint32_t>(first_weight(tap)) << 4 | static_cast<std::uint32_t>(second_weight(tap))
                                                                        << 20;
    }
    /// w·(2²³ + s) is 128·2¹⁶·w too much: the base makes up for both rows.
    static __device__ Row row(const Tap& tap) {
        const auto first = static_cast<float>(first_weight(tap)), second = static_cast<float>(second_weight(tap));
        return {first / 65536, second / 65536, kUnits + kRoom + 2 - (first + second) * 128};
    }
    template <int c>
    static __device__ Sum along(Column weights, const BytePairs& pairs) {
        return __uint_as_float(__byte_perm(pair_sum<c>(weights, pairs), 0x4B000000u, 0x7421u));
    }
    static __device__ std::uint32_t down(const Row& row, Sum above, Sum below) {
        return __float_as_uint(__fmaf_rd(row.second, below, __fmaf_rd(row.first, above, row.base)));
    }
};

/// The mean of four.
struct HalfWords {
    static constexpr int kShift = 2;
    struct Column {};
    struct Row {};
    using Sum = std::uint32_t;
    static __device__ Column column(const Tap&) { return {}; }
    static __device__ Row row(const Tap&) { return {}; }
    template <int c>
    static __device__ Sum along(Column, const BytePairs& pairs) {
        return pair_sum<c>(0x00010001u, pairs);
    }
    static __device__ std::uint32_t down(const Row&, Sum above, Sum below) { return above + below + 2; }
};

/// Float weights: what Bilinear computes, rounded to a whole number (ties to even) by adding 2²³.
template <Convention convention>
struct FloatWords {
    static constexpr int kShift = 0;
    using Arithmetic = Bilinear<float, convention>;
    using Column = typename Arithmetic::Weights;
    using Row = typename Arithmetic::Weights;
    using Sum = float;
    static __device__ Column column(const Tap& tap) { return Arithmetic::weights(tap); }
    static __device__ Row row(const Tap& tap) { return Arithmetic::weights(tap); }
    template <int c>
    static __device__ Sum along(Column weights, const BytePairs& pairs) {
        return Arithmetic::along(byte_of_pair<c, 0>(pairs), byte_of_pair<c, 1>(pairs), weights);
    }
    static __device__ std::uint32_t down(const Row& row, Sum above, Sum below) {
        return __float_as_uint(Arithmetic::down(above, below, row) + kUnits);
    }
};

/// Loads a pixel and the one to its right from any address: whole words that hold its bytes, moved into place. Of a
/// row, `first` must be at least 3 bytes from its begin and 12 from its end.
template <int channels>
__device__ BytePairs load_pairs(const std::uint8_t* first) {
    const auto ahead = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(first) % 4);
    const auto* words = reinterpret_cast<const std::uint32_t*>(first - ahead);
    const std::uint32_t low = __ldg(words), middle = __ldg(words + 1);
    const std::uint32_t high = ahead + 2 * channels > 8 ? __ldg(words + 2) : 0;
    const std::uint32_t left = __funnelshift_r(low, middle, 8 * ahead);
    const std::uint32_t right = __funnelshift_r(middle, high, 8 * ahead);
    if (channels == 3) return {__byte_perm(left, right, 0x4130), __byte_perm(left, right, 0x5252)};
    return {__byte_perm(left, right, 0x5140), __byte_perm(left, right, 0x7362)};
}

/// The same byte by byte, for pixels at the ends of a row.
template <int channels>
__device__ BytePairs load_pairs_by_bytes(const std::uint8_t* first, const std::uint8_t* second) {
    BytePairs pairs{};
#pragma unroll
    for (int c = 0; c < channels; ++c)
        pairs.words[c / 2] |= (std::uint32_t{first[c]} | std::uint32_t{second[c]} << 8) << (16 * (c % 2));
    return pairs;
}

/// Words is OpencvWords, HalfWords or FloatWords.
template <int channels, class Words>
struct WordPairs {
    using Row = typename Words::Row;
    struct Column {
        std::int32_t first;
        std::int32_t next;  ///< bytes to the second pixel; −1: it is the next, and words may be loaded
        typename Words::Column weights;
    };
    struct Sums {
        typename Words::Sum of[channels];
    };
    using Samples = std::uint32_t;  ///< bytes 0 … channels−1

    static __device__ Column column(const Tap& tap, const ImageView<const std::uint8_t>& in) {
        const std::int32_t first = tap.first * channels, next = (tap.second - tap.first) * channels;
        const bool inside = first >= 3 && first + 12 <= in.width * channels;
        return {first, channels > 1 && inside ? -1 : next, Words::column(tap)};
    }
    static __device__ Row row(const Tap& tap) { return Words::row(tap); }
    /// Of one channel, a lane's pixels are neighbours: together they fill a word.
    static __device__ int pixel_of(int lane, int i, int pixels) {
        return channels == 1 ? lane * pixels + i : lane + kLanes * i;
    }
    static __device__ Sums along(const std::uint8_t* row, const Column& column) {
        const std::uint8_t* first = row + column.first;
        const BytePairs pairs = channels > 1 && column.next < 0
                                    ? load_pairs<channels>(first)
                                    : load_pairs_by_bytes<channels>(first, first + column.next);
        Sums sums;
        sums.of[0] = Words::template along<0>(column.weights, pairs);
        if constexpr (channels > 1) {
            sums.of[1] = Words::template along<1>(column.weights, pairs);
            sums.of[2] = Words::template along<2>(column.weights, pairs);
        }
        if constexpr (channels > 3) sums.of[3] = Words::template along<3>(column.weights, pairs);
        return sums;
    }
    /// Bytes of two results, in the bytes 0 and 2.
    static __device__ std::uint32_t two(std::uint32_t low, std::uint32_t high) {
        return __byte_perm(low, high, 0x5410) >> Words::kShift;
    }
    static __device__ Samples down(const Row& row, const Sums& above, const Sums& below) {
        std::uint32_t results[4] = {};
#pragma unroll
        for (int c = 0; c < channels; ++c) results[c] = Words::down(row, above.of[c], below.of[c]);
        if (channels == 1) return results[0] >> Words::kShift & 0xFF;
        const std::uint32_t bytes = __byte_perm(two(results[0], results[1]), two(results[2], results[3]), 0x6420);
        return channels == 3 ? bytes & 0xFFFFFF : bytes;
    }
    template <int pixels>
    static __device__ void store(std::uint8_t* row, const Samples (&samples)[pixels], std::int64_t first_col, int lane,
                                 std::int64_t width) {
        const bool aligned = reinterpret_cast<std::uintptr_t>(row) % 4 == 0;
        if constexpr (channels == 1) {
            static_assert(pixels == 4);
            store_bytes<4>(row + first_col + 4 * lane,
                           samples[0] | samples[1] << 8 | samples[2] << 16 | samples[3] << 24, aligned,
                           width - first_col - 4 * lane);
        } else {
#pragma unroll
            for (int i = 0; i < pixels; ++i) {
                const std::int64_t x = first_col + pixel_of(lane, i, pixels);
                if constexpr (channels == 3)
                    store_three(row, samples[i], x, aligned, width);
                else
                    store_bytes<4>(row + 4 * x, samples[i], aligned, x < width ? 4 : 0);
            }
        }
    }
    /// Three words hold four lanes' pixels: the first three of these store one each, with bytes of the lane after them.
    static __device__ void store_three(std::uint8_t* row, std::uint32_t pixel, std::int64_t x, bool aligned,
                                       std::int64_t width) {
        const std::uint32_t next = __shfl_down_sync(0xFFFFFFFFu, pixel, 1);
        const auto place = static_cast<int>(x % 4);
        const std::int64_t quad = x - place;
        if (!aligned || quad + 4 > width) return store_bytes<3>(row + 3 * x, pixel, false, x < width ? 3 : 0);
        const std::uint32_t word = __funnelshift_r(pixel | next << 24, next >> 8, 8 * place);
        if (place < 3) reinterpret_cast<std::uint32_t*>(row + 3 * quad)[place] = word;
    }
    /// The first `count` of `bytes` bytes.
    template <int bytes>
    static __device__ void store_bytes(std::uint8_t* to, std::uint32_t word, bool aligned, std::int64_t count) {
        if (bytes == 4 && aligned && count >= 4) {
            *reinterpret_cast<std::uint32_t*>(to) = word;
            return;
        }
#pragma unroll
        for (int i = 0; i < bytes; ++i)
            if (i < count) to[i] = static_cast<std::uint8_t>(word >> (8 * i));
    }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
