// An exact double, as pyramids and the necks of networks ask for, has a kernel of its own: two sums in a word, and all
// rows of a warp in flight at once.
#include <utility>

#include "ops/resize/quarters.cuh"
#include "ops/resize/word_pairs.cuh"
#include "src/pixels/words.cuh"

namespace {
/// A lane's share of an input row: whole pixels in whole words.
template <int channels>
struct DoubleShare {
    static constexpr int words = channels == 3 ? 3 : 4, bytes = 4 * words, pixels = bytes / channels;
    static constexpr int out_words = 2 * words, out_bytes = 2 * bytes, warp_bytes = kLanes * out_bytes;
};

/// A share and the words to its left and right, in which are its neighbours.
template <int channels>
struct DoubleRow {
    std::uint32_t words[DoubleShare<channels>::words + 2];

    /// Every other byte of the word that has `byte`, that byte among them.
    template <int byte>
    __device__ std::uint32_t spread() const {
        return __byte_perm(words[byte / 4], 0, byte % 2 == 0 ? 0x4240 : 0x4341);
    }
    /// Two bytes as the halves of a word.
    template <int low, int high>
    __device__ std::uint32_t halves() const {
        if constexpr (low / 4 == high / 4)
            return __byte_perm(words[low / 4], 0, 0x4040 | (low % 4) | (high % 4) << 8);
        else  // a permutation of two words has no zeros but theirs
            return __byte_perm(spread<low>(), spread<high>(), 0x5410 | (low & 2) | (high & 2) << 8);
    }
    /// x + 3·y for two samples of an output row: y is the nearer pixel of the input.
    template <int sample>
    __device__ std::uint32_t sums() const {
        constexpr auto nearer = [](int i) { return 4 + i / channels / 2 * channels + i % channels; };
        constexpr auto other = [](int i) { return i / channels % 2 == 0 ? -channels : channels; };
        constexpr int first = nearer(sample), second = nearer(sample + 1);
        return halves<first, second>() * 3 + halves<first + other(sample), second + other(sample + 1)>();
    }
};

/// What a row of the input gives to the output rows above and below it.
template <class Arithmetic, int channels>
struct DoubleSums {
    static constexpr int kPairs = 2 * DoubleShare<channels>::out_words;
    std::uint32_t quarter[kPairs], three[kPairs];

    __device__ explicit DoubleSums(const DoubleRow<channels>& row) {
        [&]<int... pair>(std::integer_sequence<int, pair...>) { (take<pair>(row.template sums<2 * pair>()), ...); }
        (std::make_integer_sequence<int, kPairs>());
    }
    template <int pair>
    __device__ void take(std::uint32_t sums) {
        quarter[pair] = Arithmetic::quarter(sums);
        three[pair] = Arithmetic::three_quarters(sums);
    }
    /// A row of the output, which is nearer to `nearer`.
    static __device__ Words<kPairs / 2> blend(const DoubleSums& nearer, const DoubleSums& other) {
        Words<kPairs / 2> words;
#pragma unroll
        for (int i = 0; i < kPairs / 2; ++i)
            words.word[i] = __byte_perm(Arithmetic::both(other.quarter[2 * i], nearer.three[2 * i]),
                                        Arithmetic::both(other.quarter[2 * i + 1], nearer.three[2 * i + 1]), 0x7531);
        return words;
    }
};

/// Of a lane: where its share begins, and whether it is the first or the last of a row, beyond which pixels repeat.
template <int channels>
struct DoubleLane {
    std::int64_t byte;
    bool first, last;

    __device__ DoubleRow<channels> load(const std::uint8_t* row) const {
        constexpr int kWords = DoubleShare<channels>::words, kShift = 8 * (4 - channels);
        const auto* words = reinterpret_cast<const std::uint32_t*>(row + byte);
        DoubleRow<channels> loaded;
#pragma unroll
        for (int i = 0; i < kWords; ++i) loaded.words[i + 1] = __ldg(words + i);
        loaded.words[0] = __ldg(words - (first ? 0 : 1));
        loaded.words[kWords + 1] = __ldg(words + (last ? kWords - 1 : kWords));
        if (first) loaded.words[0] <<= kShift;
        if (last) loaded.words[kWords + 1] >>= kShift;
        return loaded;
    }
};

/// Two rows of a warp's part of the output, on their way from the lanes that computed them to those that store them.
template <int channels>
struct DoubleStage {
    static constexpr int kBytes = DoubleShare<channels>::warp_bytes, kVectors = kBytes / kVectorBytes;
    uint4 rows[2][kVectors];

    __device__ void put(int row, const Words<DoubleShare<channels>::out_words>& words, int lane) {
        auto* to = reinterpret_cast<uint2*>(rows[row]) + DoubleShare<channels>::out_words / 2 * lane;
#pragma unroll
        for (int i = 0; i < DoubleShare<channels>::out_words / 2; ++i)
            to[i] = make_uint2(words.word[2 * i], words.word[2 * i + 1]);
    }
    /// Both rows, whole, to where vectors may be stored.
    __device__ void store(std::uint8_t* upper, std::int64_t pitch, int lane) const {
#pragma unroll
        for (int i = 0; i < 2 * kVectors / kLanes; ++i) {
            const int vector = i * kLanes + lane, row = vector >= kVectors ? 1 : 0;
            *reinterpret_cast<uint4*>(upper + row * pitch + kVectorBytes * (vector - row * kVectors)) =
                rows[row][vector - row * kVectors];
        }
    }
};

/// A warp's gaps between input rows: each makes two rows of the output, the lower half of a row and the upper of the
/// next. More would reread fewer rows, and leave fewer warps to wait for memory.
constexpr int kDoubleGaps = 2, kDoubleWarps = 4;
constexpr int kDoubleBlocks = 7;  ///< on a multiprocessor, without spilling

/// Where a warp's rows go, two at a time. The image may have only one of them.
template <int channels>
struct DoubleRows {
    std::uint8_t* to;          ///< the warp's first byte in row y
    std::int64_t pitch, left;  ///< left: bytes of a row from there on
    std::int32_t y, height;
    bool vectors;  ///< whole, to where vectors may be stored

    __device__ DoubleRows(const ImageView<std::uint8_t>& out, std::int32_t first_row, std::int64_t first_byte)
        : to(row_of(out, first_row) + first_byte),
          pitch(out.pitch),
          left(out.width * channels - first_byte),
          y(first_row),
          height(static_cast<std::int32_t>(out.height)),
          vectors(left >= DoubleStage<channels>::kBytes && is_aligned(to, kVectorBytes) && pitch % kVectorBytes == 0) {}
    __device__ void store(const DoubleStage<channels>& stage, int lane) {
        constexpr int kBytes = DoubleStage<channels>::kBytes;
        const bool upper = y >= 0 && y < height, lower = y + 1 < height;
        if (vectors && upper && lower) {
            stage.store(to, pitch, lane);
        } else {
            if (upper) store_staged<kBytes>(to, stage.rows[0], left, lane);
            if (lower) store_staged<kBytes>(to + pitch, stage.rows[1], left, lane);
        }
        to += 2 * pitch;
        y += 2;
    }
};

template <class Arithmetic, int channels>
__global__ void __launch_bounds__(kLanes* kDoubleWarps, kDoubleBlocks)
    wide_doubles(const ImageView<const std::uint8_t> in, const ImageView<std::uint8_t> out) {
    using Share = DoubleShare<channels>;
    using Sums = DoubleSums<Arithmetic, channels>;
    __shared__ DoubleStage<channels> stages[kDoubleWarps][2];  // in turns: one is stored while the other is filled
    const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
    const auto height = static_cast<std::int32_t>(in.height);
    const std::int32_t gap = (static_cast<std::int32_t>(blockIdx.y) * kDoubleWarps + warp) * kDoubleGaps;
    if (gap > height) return;
    const std::int64_t first_byte = std::int64_t{blockIdx.x} * (Share::bytes * kLanes), row_bytes = in.width * channels;
    // Lanes past the last share compute it again, and store nothing.
    const std::int64_t byte = min(first_byte + Share::bytes * lane, row_bytes - Share::bytes);
    const DoubleLane<channels> share{byte, byte == 0, byte == row_bytes - Share::bytes};
    DoubleRow<channels> rows[kDoubleGaps + 1];
#pragma unroll
    for (int i = 0; i <= kDoubleGaps; ++i) rows[i] = share.load(row_of(in, min(max(gap + i - 1, 0), height - 1)));
    DoubleRows<channels> to(out, 2 * gap - 1, 2 * first_byte);
    Sums above(rows[0]);
#pragma unroll
    for (int i = 0; i < kDoubleGaps; ++i) {
        const Sums below(rows[i + 1]);
        DoubleStage<channels>& stage = stages[warp][i % 2];
        stage.put(0, Sums::blend(above, below), lane);
        stage.put(1, Sums::blend(below, above), lane);
        __syncwarp();
        to.store(stage, lane);
        above = below;
    }
}

/// Whether it is a single image that becomes exactly twice as high and wide, in a convention of half-pixel centres,
/// with input rows of whole shares that begin at words.
bool has_wide_double(const ResizeArgs<std::uint8_t>& a) {
    constexpr std::int64_t kMostHeight = 1 << 17;  // in blocks of several rows, fewer than CUDA allows downwards
    if (a.empty() || is_batch(a) || a.convention == Convention::legacy) return false;
    const ImageView<const std::uint8_t> in = image_of(a.in, 0);
    const ImageView<std::uint8_t> out = image_of(a.out, 0);
    if (out.height != 2 * in.height || out.width != 2 * in.width || in.height > kMostHeight) return false;
    const auto address = reinterpret_cast<std::uintptr_t>(in.pixels), pitch = static_cast<std::uintptr_t>(in.pitch);
    const int share = in.channels == 3 ? DoubleShare<3>::bytes : DoubleShare<1>::bytes;
    return (address | pitch) % kWordBytes == 0 && in.width * in.channels % share == 0;
}

void launch_wide_double(const ResizeArgs<std::uint8_t>& a, cudaStream_t stream) {
    const ImageView<const std::uint8_t> in = image_of(a.in, 0);
    const ImageView<std::uint8_t> out = image_of(a.out, 0);
    with_channels(in.channels, [&]<int channels>() {
        const std::int64_t warp_cols = std::int64_t{kLanes} * DoubleShare<channels>::pixels;
        const dim3 block(kLanes, kDoubleWarps),
            grid(static_cast<unsigned>(ceil_div(in.width, warp_cols)),
                 static_cast<unsigned>(ceil_div(in.height + 1, std::int64_t{kDoubleWarps} * kDoubleGaps)));
        if (a.convention == Convention::opencv)
            wide_doubles<OpencvQuarters, channels><<<grid, block, 0, stream>>>(in, out);
        else
            wide_doubles<FloatQuarters, channels><<<grid, block, 0, stream>>>(in, out);
    });
}

}  // namespace

LANEWORK_RUNG(resize, wide_doubles,
              {
                  .climbs_from = "word_pairs",
                  .lesson = "An exact double: weights of ¼ and ¾ let two sums share a word; the rest as before.",
                  .launch = {launch_wide_double},
                  .fits = {has_wide_double},
                  .only = "one image of bytes that becomes exactly twice as high and wide, rows of whole shares",
              });
// mends: instruction_bound
