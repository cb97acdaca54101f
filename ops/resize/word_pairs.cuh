// The 8-bit pixels of a strip by words: both neighbours of each channel come out of two or three words as pairs of
// bytes, a pair is weighed by one instruction, and what four lanes computed is stored as whole words.
#pragma once

#include "ops/resize/sample_by_sample.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Two bytes for each channel, first | second << 8: channels 0 and 1 in the halves of word 0, 2 and 3 in those of 1.
struct BytePairs {
    std::uint32_t words[2];
};

/// What is added to `base` for channel `c` of two pixels, in the low half for c even and in the high half for c odd.
template <int c>
__device__ std::uint32_t pair_sum(std::uint32_t weights, const BytePairs& pairs, std::uint32_t base = 0) {
    return c % 2 == 0 ? __dp2a_lo(weights, pairs.words[c / 2], base) : __dp2a_hi(weights, pairs.words[c / 2], base);
}
/// One byte of a channel's pair as a float: put into the mantissa of 2²³, which is then taken away.
template <int c, int second>
__device__ float byte_of_pair(const BytePairs& pairs) {
    constexpr unsigned kSelector = 0x7440u | (2 * (c % 2) + second);
    return __uint_as_float(__byte_perm(pairs.words[c / 2], 0x4B000000u, kSelector)) - 8388608.0F;
}

/// Where floats have a unit of 1, so that rounding is to whole numbers. The low 16 bits of such a float are free.
inline constexpr float kUnits = 8388608.0F /* 2²³ */, kRoom = 524288.0F /* 2¹⁹ */;
/// Where they have a unit of 4 and of 16: to add this, rounding down, takes two and four bits away.
inline constexpr float kFours = 4 * kUnits, kSixteens = 16 * kUnits;

/// How OpenCV's integers are computed here: sums along a row by one dot product of 16-bit weights with bytes, added to
/// the bits of a float, of whose mantissa they become the lowest. Without the last four bits that is the sum >> 4 of
/// opencv_blend, times 2⁴. The sum of two such times their weights, each rounded down, is two fused multiply-adds that
/// round down. Bits are taken away by additions of floats, of which a multiprocessor does twice as many as of shifts
/// and of masks.
struct OpencvWords {
    static constexpr int kShift = 0;  ///< from a result to the byte
    using Column = std::uint32_t;     ///< both weights in 2⁻¹¹
    struct Row {
        float first, second, base;
    };
    using Sum = float;  ///< 17·2²³ + 16·(sum >> 4)
    /// first_weight and second_weight: a float whose unit is 1 rounds to nearest, ties to even.
    static __device__ float units(float fraction) { return fraction * kWeightOne + kUnits; }
    static __device__ Column column(const Tap& tap) {
        return __byte_perm(__float_as_uint(units(1.0F - tap.fraction)), __float_as_uint(units(tap.fraction)), 0x5410);
    }
    /// w/16·(17·2²³ + 16·s) is 17·8·2¹⁶·w too much: the base makes up for both rows.
    static __device__ Row row(const Tap& tap) {
        const float first = units(1.0F - tap.fraction) - kUnits, second = units(tap.fraction) - kUnits;
        return {first / (16 * 65536), second / (16 * 65536), kUnits + kRoom + 2 - (first + second) * (17 * 8)};
    }
    template <int c>
    static __device__ Sum along(Column weights, const BytePairs& pairs) {
        return __fadd_rd(__uint_as_float(pair_sum<c>(weights, pairs, __float_as_uint(kUnits))), kSixteens);
    }
    static __device__ std::uint32_t down(const Row& row, Sum above, Sum below) {
        return __float_as_uint(__fadd_rd(__fmaf_rd(row.second, below, __fmaf_rd(row.first, above, row.base)), kFours));
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

/// The pairs of bytes of two neighbouring pixels: `left` holds bytes 0 … 3 from the first, `right` bytes 4 … 7.
template <int channels>
__device__ BytePairs pairs_of_words(std::uint32_t left, std::uint32_t right) {
    if (channels == 1) return {left, 0};
    if (channels == 3) return {__byte_perm(left, right, 0x4130), __byte_perm(left, right, 0x5252)};
    return {__byte_perm(left, right, 0x5140), __byte_perm(left, right, 0x7362)};
}

/// Whole words that hold the bytes, moved into place. No word without such a byte is touched, and there is no branch.
template <int channels>
__device__ BytePairs load_pairs_anywhere(const std::uint8_t* first) {
    constexpr unsigned kBytes = 2 * channels;
    const auto ahead = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(first) % 4);
    const auto* words = reinterpret_cast<const std::uint32_t*>(first - ahead);
    const std::uint32_t low = __ldg(words), middle = __ldg(words + (ahead + kBytes > 4 ? 1 : 0));
    const std::uint32_t left = __funnelshift_r(low, middle, 8 * ahead);
    if (channels == 1) return pairs_of_words<1>(left, 0);
    const std::uint32_t high = __ldg(words + (ahead + kBytes > 8 ? 2 : 1));
    return pairs_of_words<channels>(left, __funnelshift_r(middle, high, 8 * ahead));
}

/// Words that a pair spans at most, of a row that begins at a word.
template <int channels>
inline constexpr int kPairWords = channels == 1 ? 2 : 3;

/// The same where `offset` alone says how the bytes lie: what it costs to find out is paid once for a column.
template <int channels>
__device__ BytePairs load_pairs_aligned(const std::uint8_t* row, std::int32_t offset) {
    const auto* words = reinterpret_cast<const std::uint32_t*>(row + (offset & ~3));
    const int shift = 8 * (offset & 3);
    std::uint32_t word[kPairWords<channels>];
#pragma unroll
    for (int i = 0; i < kPairWords<channels>; ++i) word[i] = __ldg(words + i);
    const std::uint32_t left = __funnelshift_r(word[0], word[1], shift);
    if constexpr (channels == 1)
        return pairs_of_words<1>(left, 0);
    else
        return pairs_of_words<channels>(left, __funnelshift_r(word[1], word[2], shift));
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

/// Four results of Words in the bytes of a word.
template <class Words>
__device__ std::uint32_t word_of_results(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    const std::uint32_t low = __byte_perm(a, b, 0x5410) >> Words::kShift;
    const std::uint32_t high = __byte_perm(c, d, 0x5410) >> Words::kShift;
    return __byte_perm(low, high, 0x6420);
}

/// Writes the first `bytes` of `most` bytes in shared memory: vectors or, moved into place, words, and single bytes
/// only before the first whole word and after the last.
template <int most>
__device__ void store_staged(std::uint8_t* to, const uint4* staged, std::int64_t bytes, int lane) {
    const auto address = reinterpret_cast<std::uintptr_t>(to);
    if (bytes >= most && address % 16 == 0) {
#pragma unroll
        for (int first = 0; first < most / 16; first += kLanes)
            if (first + lane < most / 16) reinterpret_cast<uint4*>(to)[first + lane] = staged[first + lane];
        return;
    }
    const auto* from = reinterpret_cast<const std::uint8_t*>(staged);
    const auto* from_words = reinterpret_cast<const std::uint32_t*>(staged);
    const int count = bytes < most ? static_cast<int>(bytes) : most;
    const int unaligned = static_cast<int>((4 - address % 4) % 4), before = unaligned < count ? unaligned : count;
    const int words = (count - before) / 4, after = before + 4 * words;
#pragma unroll
    for (int first = 0; first < most / 4; first += kLanes) {
        const int i = first + lane;
        if (i < words)
            reinterpret_cast<std::uint32_t*>(to + before)[i] =
                __funnelshift_r(from_words[i], from_words[i + (before > 0 ? 1 : 0)], 8 * before);
    }
    if (lane < before) to[lane] = from[lane];
    if (lane < count - after) to[after + lane] = from[after + lane];
}

/// Words is OpencvWords, HalfWords or FloatWords. Of an image that grows a lane's four pixels are neighbours and fill
/// words together; of one that shrinks they are a warp apart, so that lanes side by side load what lies side by side.
template <int channels, class Words, bool neighbouring>
struct WordPairs {
    using Row = typename Words::Row;
    using Neighbours = BytePairs;
    struct Column {
        std::int32_t first;
        std::int16_t next;  ///< bytes to the second pixel
        Access access;
        typename Words::Column weights;
    };
    struct Sums {
        typename Words::Sum of[channels];
    };
    struct Samples {
        std::uint32_t of[channels];  ///< results of Words
    };

    /// Where a row ends, the last pixel is the second of a pair, with all of the weight.
    static __device__ Column column(const Tap& tap, const ImageView<const std::uint8_t>& in) {
        if (in.width < 2) return {0, 0, Access::bytes, Words::column(tap)};
        const bool last = tap.first == in.width - 1;
        const std::int32_t first = (tap.first - (last ? 1 : 0)) * channels;
        return {first, channels, access_of(first, in), Words::column(last ? Tap{0, 0, 1.0F} : tap)};
    }
    static __device__ Access access_of(std::int32_t first, const ImageView<const std::uint8_t>& in) {
        const auto bytes = static_cast<std::int32_t>(in.width * channels);
        const bool aligned =
            (reinterpret_cast<std::uintptr_t>(in.pixels) | static_cast<std::uintptr_t>(in.pitch)) % 4 == 0;
        if (aligned && (first & ~3) + 4 * kPairWords<channels> <= bytes) return Access::aligned;
        const bool inside = (aligned && bytes % 4 == 0) || (first >= 3 && first + 2 * channels + 3 <= bytes);
        return inside ? Access::words : Access::bytes;
    }
    static __device__ Row row(const Tap& tap) { return Words::row(tap); }
    static constexpr bool has_words = true;
    static __device__ Access access(const Column& column) { return column.access; }
    static __device__ int pixel_of(int lane, int i, int pixels) {
        return neighbouring ? lane * pixels + i : lane + kLanes * i;
    }
    template <Access access>
    static __device__ BytePairs load(const std::uint8_t* row, const Column& column) {
        if constexpr (access == Access::aligned)
            return load_pairs_aligned<channels>(row, column.first);
        else if constexpr (access == Access::words)
            return load_pairs_anywhere<channels>(row + column.first);
        else
            return load_pairs_by_bytes<channels>(row + column.first, row + column.first + column.next);
    }
    static __device__ Sums along(const BytePairs& pairs, const Column& column) {
        Sums sums;
        sums.of[0] = Words::template along<0>(column.weights, pairs);
        if constexpr (channels > 1) {
            sums.of[1] = Words::template along<1>(column.weights, pairs);
            sums.of[2] = Words::template along<2>(column.weights, pairs);
        }
        if constexpr (channels > 3) sums.of[3] = Words::template along<3>(column.weights, pairs);
        return sums;
    }
    static __device__ Samples down(const Row& row, const Sums& above, const Sums& below) {
        Samples samples;
#pragma unroll
        for (int c = 0; c < channels; ++c) samples.of[c] = Words::down(row, above.of[c], below.of[c]);
        return samples;
    }
    /// A lane's bytes go through shared memory, so that the warp stores a piece of the row in order.
    template <int pixels>
    static __device__ void store(std::uint8_t* row, const Samples (&samples)[pixels], std::int64_t first_col, int lane,
                                 std::int64_t width) {
        constexpr int kBytes = pixels * channels * kLanes;
        __shared__ uint4 staged_of_warps[kWarps][kBytes / 16];
        uint4* staged = staged_of_warps[threadIdx.x / kLanes];
        if constexpr (neighbouring) {
            auto* words = reinterpret_cast<std::uint32_t*>(staged) + pixels * channels / 4 * lane;
#pragma unroll
            for (int i = 0; i < pixels * channels; i += 4)
                words[i / 4] = word_of_results<Words>(result(samples, i), result(samples, i + 1),
                                                      result(samples, i + 2), result(samples, i + 3));
        } else {
            auto* bytes = reinterpret_cast<std::uint8_t*>(staged) + channels * lane;
#pragma unroll
            for (int i = 0; i < pixels * channels; ++i)
                bytes[i / channels * channels * kLanes + i % channels] =
                    static_cast<std::uint8_t>(result(samples, i) >> Words::kShift);
        }
        __syncwarp();
        store_staged<kBytes>(row + channels * first_col, staged, channels * (width - first_col), lane);
        __syncwarp();  // before the next row's bytes
    }
    template <int pixels>
    static __device__ std::uint32_t result(const Samples (&samples)[pixels], int i) {
        return samples[i / channels].of[i % channels];
    }
};

/// What computes samples of a type in a convention: those of 8 bits by words.
template <class T, int channels, Convention convention, bool neighbouring>
struct WordsOf {
    using General = SampleBySample<T, channels, Bilinear<T, convention>>;
    using Half = SampleBySample<T, channels, HalfMean<T>>;
};
template <int channels, Convention convention, bool neighbouring>
struct WordsOf<std::uint8_t, channels, convention, neighbouring> {
    using General = WordPairs<channels, FloatWords<convention>, neighbouring>;
    using Half = General;
};
template <int channels, bool neighbouring>
struct WordsOf<std::uint8_t, channels, Convention::opencv, neighbouring> {
    using General = WordPairs<channels, OpencvWords, neighbouring>;
    using Half = WordPairs<channels, HalfWords, neighbouring>;
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
