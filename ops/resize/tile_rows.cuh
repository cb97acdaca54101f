// The rows of a tile: a lane has four neighbouring pixels, whose sums along two input rows it keeps; what a warp
// computed of a row is stored as vectors. All that is read lies in shared memory.
#pragma once

#include "ops/resize/tile.cuh"
#include "ops/resize/word_pairs.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// The sums of a lane's pixels along an input row.
template <class Arithmetic, int channels>
struct TileSums {
    typename Arithmetic::Sum of[kTilePixels * channels];
};
__device__ inline std::uint32_t word_at(const std::uint8_t* byte) {
    return *reinterpret_cast<const std::uint32_t*>(byte);
}

/// A lane's columns, each loaded by itself.
template <class Arithmetic, int channels>
struct SingleColumns {
    std::int32_t first[kTilePixels], other[kTilePixels];       ///< words
    std::uint32_t pick[kTilePixels], pick_other[kTilePixels];  ///< the bytes of a pair in two words
    typename Arithmetic::Column weights[kTilePixels];

    __device__ SingleColumns(const TileColumns<Arithmetic>& columns, std::int32_t first_byte) {
#pragma unroll
        for (int i = 0; i < kTilePixels; ++i) {
            const std::int32_t byte = channels * columns.pixel[i] - first_byte, ahead = byte & 3;
            weights[i] = columns.weights[i];
            first[i] = byte - ahead;
            pick[i] = static_cast<std::uint32_t>((channels == 1 ? 0x4310 : 0x4130) + 0x1111 * ahead);
            // Of three words the first is not needed, or the last.
            other[i] = first[i] + (ahead == 3 ? 8 : 0);
            pick_other[i] = (0x16u + 0x11u * static_cast<std::uint32_t>(ahead)) & 0x77u;
        }
    }
    __device__ BytePairs pairs(const std::uint8_t* row, int i) const {
        const std::uint32_t low = word_at(row + first[i]), high = word_at(row + first[i] + 4);
        if constexpr (channels == 4) return pairs_of_words<4>(low, high);
        if constexpr (channels == 1) return {__byte_perm(low, high, pick[i]), 0};
        return {__byte_perm(low, high, pick[i]), __byte_perm(high, word_at(row + other[i]), pick_other[i])};
    }
    __device__ TileSums<Arithmetic, channels> sums(const std::uint8_t* row) const {
        TileSums<Arithmetic, channels> sums;
        BytePairs loaded[kTilePixels];
#pragma unroll
        for (int i = 0; i < kTilePixels; ++i) loaded[i] = pairs(row, i);
#pragma unroll
        for (int i = 0; i < kTilePixels; ++i) {
            sums.of[i * channels] = Arithmetic::template along<0>(weights[i], loaded[i]);
            if constexpr (channels > 1) {
                sums.of[i * channels + 1] = Arithmetic::template along<1>(weights[i], loaded[i]);
                sums.of[i * channels + 2] = Arithmetic::template along<2>(weights[i], loaded[i]);
            }
            if constexpr (channels > 3)
                sums.of[i * channels + 3] = Arithmetic::template along<3>(weights[i], loaded[i]);
        }
        return sums;
    }
};

/// A lane's columns of an image of three channels that grows: five pixels of the input have all neighbours.
template <class Arithmetic>
struct NearColumns {
    static constexpr int channels = 3;
    std::int32_t first;  ///< word
    unsigned shift;
    std::uint32_t pick_left, pick_right[channels];
    typename Arithmetic::Column weights[kTilePixels];

    static __device__ bool fits(const TileColumns<Arithmetic>& columns) {
        const std::int32_t from = columns.pixel[0];  // positions are rounded: one pixel more is possible
        return max(columns.pixel[1], columns.pixel[2]) - from <= 2 && columns.pixel[3] - from <= 3;
    }
    __device__ NearColumns(const TileColumns<Arithmetic>& columns, std::int32_t first_byte) {
        const std::int32_t byte = channels * columns.pixel[0] - first_byte;
        first = byte & ~3;
        shift = 8 * static_cast<unsigned>(byte & 3);
        std::uint32_t pixel[kTilePixels];
#pragma unroll
        for (int i = 0; i < kTilePixels; ++i) {
            pixel[i] = static_cast<std::uint32_t>(columns.pixel[i] - columns.pixel[0]);
            weights[i] = columns.weights[i];
        }
        pick_left = 0x1010u + 0x1100u * pixel[1];
        const std::uint32_t right = 0x1010u + 0x0011u * pixel[2] + 0x1100u * pixel[3];
#pragma unroll
        for (unsigned c = 0; c < channels; ++c) pick_right[c] = right + (pixel[3] == 3 ? c << 12 : 0);
    }
    /// The first four pixels by channels: bytes c, 3 + c, 6 + c, 9 + c of three words.
    template <int c>
    static __device__ std::uint32_t plane(const std::uint32_t (&words)[4]) {
        constexpr unsigned kFirst[] = {0x0630, 0x0741, 0x0052}, kLast[] = {0x5210, 0x6210, 0x7410};
        return __byte_perm(__byte_perm(words[0], words[1], kFirst[c]), words[2], kLast[c]);
    }
    template <int c>
    __device__ void along(TileSums<Arithmetic, channels>& sums, const std::uint32_t (&words)[4]) const {
        const std::uint32_t four = plane<c>(words);
        const BytePairs left{{__byte_perm(four, words[3], pick_left), 0}},
            right{{__byte_perm(four, words[3], pick_right[c]), 0}};
        sums.of[c] = Arithmetic::template along<0>(weights[0], left);
        sums.of[channels + c] = Arithmetic::template along<1>(weights[1], left);
        sums.of[2 * channels + c] = Arithmetic::template along<0>(weights[2], right);
        sums.of[3 * channels + c] = Arithmetic::template along<1>(weights[3], right);
    }
    __device__ TileSums<Arithmetic, channels> sums(const std::uint8_t* row) const {
        std::uint32_t loaded[5], words[4];
#pragma unroll
        for (int i = 0; i < 5; ++i) loaded[i] = word_at(row + first + 4 * i);
#pragma unroll
        for (int i = 0; i < 4; ++i) words[i] = __funnelshift_r(loaded[i], loaded[i + 1], shift);
        TileSums<Arithmetic, channels> sums;
        along<0>(sums, words);
        along<1>(sums, words);
        along<2>(sums, words);
        return sums;
    }
};

/// Where a warp's part of a row goes: into shared memory and from there, in order, to the output.
template <int channels, bool vectors>
struct WarpRow {
    static constexpr int kBytes = kTileCols * channels;
    uint4* staged;
    std::uint8_t* to;   ///< the warp's first pixel of the row; of vectors, the lane's
    std::int64_t left;  ///< bytes of the row from the warp's first pixel on
    std::int64_t pitch;

    __device__ void store(const std::uint32_t (&words)[channels]) {
        const int lane = static_cast<int>(threadIdx.x) % kLanes;
#pragma unroll
        for (int i = 0; i < channels; ++i) reinterpret_cast<std::uint32_t*>(staged)[channels * lane + i] = words[i];
        __syncwarp();
        if constexpr (vectors) {
            if (lane < kBytes / kVectorBytes) *reinterpret_cast<uint4*>(to) = staged[lane];
        } else {
            store_staged<kBytes>(to, staged, left, lane);
        }
        __syncwarp();  // before the next row's bytes
        to += pitch;
    }
};

/// A warp's rows, one after the other. What an output row shares with the one above is kept; which of two sums is the
/// upper one is known to the compiler, and nothing is moved.
template <class Arithmetic, int channels, bool vectors, class Columns>
struct RowWalk {
    using Sums = TileSums<Arithmetic, channels>;
    using Row = TileRow<Arithmetic>;
    const Columns& columns;
    const std::uint8_t* tile;
    std::int32_t step;   ///< of TileSource
    std::int32_t ready;  ///< where rows of the tile begin that may still be on their way
    const Row *row, *end;
    WarpRow<channels, vectors>& out;
    Row current = {};
    std::int32_t summed = 0;  ///< the row of the lower sums

    __device__ void store(const typename Arithmetic::Row& weights, const Sums& above, const Sums& below) {
        std::uint32_t words[channels];
        const auto result = [&](int i) { return Arithmetic::down(weights, above.of[i], below.of[i]); };
#pragma unroll
        for (int i = 0; i < channels; ++i)
            words[i] =
                word_of_results<Arithmetic>(result(4 * i), result(4 * i + 1), result(4 * i + 2), result(4 * i + 3));
        out.store(words);
    }
    /// The output rows between two rows of sums; false after the last.
    __device__ bool store_rows(const Sums& above, const Sums& below) {
#pragma unroll 1
        while (current.upper + step == summed) {
            store(current.weights, above, below);
            if (++row == end) return false;
            current = *row;
        }
        return true;
    }
    /// The sums of a row of the tile, when it is there.
    __device__ Sums sums(std::int32_t at) {
        summed = at;
        if (at >= ready) {
            wait_for_copies<0>();
            ready = 0x7FFFFFFF;
        }
        return columns.sums(tile + at);
    }
    /// The next row that is needed.
    __device__ std::int32_t next() const { return max(summed + step, current.upper); }
    __device__ void walk() {
        current = *row;
        Sums even = sums(current.upper), odd = sums(current.upper + step);
#pragma unroll 1
        while (store_rows(even, odd)) {
            even = sums(next());
            if (!store_rows(odd, even)) return;
            odd = sums(next());
        }
    }
};
}  // namespace lanework::inline LANEWORK_ON_DEVICE
