// A tile is what a warp needs of the input: a piece of rows that lie one below the other, copied into shared memory
// before anything is computed. Where rows end is dealt with here, so that whoever reads a tile need not ask.
#pragma once

#include "ops/resize/strip.cuh"
#include "src/pixels/words.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kTilePixels = 4;  ///< of a lane, next to each other
inline constexpr int kTileCols = kLanes * kTilePixels, kMostTileRows = kLanes;
constexpr int kTileWarps = 4, kTileThreads = kTileWarps * kLanes;
/// Of a block: small enough that a multiprocessor has room for the tiles of several.
inline constexpr int kMostTileBytes = 26 * 1024;
/// Bytes that are read from a lane's first pixel on, at most.
inline constexpr int kReadBytes = 24;

/// How tiles of an image are laid out.
struct TileShape {
    std::int32_t pieces;  ///< vectors of a row of the tile
    std::int32_t rows;    ///< output rows
    std::int32_t slots;   ///< rows of the input, at most
    bool apart;           ///< hardly an input row serves two output rows: each has two slots of its own

    static constexpr TileShape of(const AxisMap& columns, const AxisMap& rows, int channels, std::int32_t count) {
        // The first pixel is a lower bound, and lies anywhere in a vector; a position may be rounded to the next pixel.
        const double reach = (kTileCols * columns.scale + 4) * channels + kReadBytes + kVectorBytes;
        const bool apart = rows.scale >= 2;
        return {static_cast<std::int32_t>(reach) / kVectorBytes + 1, count,
                apart ? 2 * count : static_cast<std::int32_t>((count - 1) * rows.scale) + 4, apart};
    }
    constexpr int bytes() const { return kTileWarps * slots * pieces * kVectorBytes; }  ///< of a block
};

/// An image and its output as the kernel is told: what is needed first comes first.
struct TilePair {
    AxisMap rows, columns;
    const std::uint8_t* in;
    std::uint8_t* out;
    std::int32_t in_pitch, out_pitch;
    std::int32_t height, width;  ///< of the output
    TileShape shape;
    Convention asked;
};

/// An output row of a tile: its weights, and where the upper of its two rows begins in the tile, in bytes.
template <class Arithmetic>
struct alignas(16) TileRow {
    typename Arithmetic::Row weights;
    std::int32_t upper;
};

/// The columns of a block.
template <class Arithmetic>
struct TileTable {
    alignas(16) std::int32_t columns[kTileCols];  ///< first pixels
    alignas(16) typename Arithmetic::Column weights[kTileCols];
};

/// Where a tile lies in the output.
struct TilePlace {
    std::int32_t first_col, first_row, rows;
};

/// The taps of a convention, of which float and legacy share their arithmetic and a kernel.
template <Convention convention>
struct TileTaps {
    const AxisMap& map;
    const Convention asked;

    __device__ Tap row(std::int32_t y) const {
        if constexpr (convention == Convention::opencv) return opencv_row(map, y);
        return column(y);
    }
    __device__ Tap column(std::int32_t x) const {
        if constexpr (convention == Convention::opencv) return opencv_column(map, x);
        return asked == Convention::floating ? float_tap<Convention::floating>(map, x)
                                             : float_tap<Convention::legacy>(map, x);
    }
};

/// What a warp's tile is copied from. Lane i knows of output row i.
struct TileSource {
    std::int32_t byte;           ///< from the begin of a row, a multiple of vectors
    std::int32_t slots;          ///< of which there are rows
    std::int32_t top;            ///< the input row of slot 0, may be −1; of rows apart, not used
    std::int32_t first, second;  ///< input rows of the lane's output row
    std::int32_t step;           ///< bytes from the upper to the lower row of the tile: 0 where one row has all weight

    /// The input row of a slot: every lane takes part.
    __device__ std::int32_t row(const TileShape& shape, std::int32_t slot, std::int32_t last) const {
        if (!shape.apart) return min(max(top + slot, 0), last);
        const int lane = step == 0 ? slot : slot / 2;
        const std::int32_t upper = __shfl_sync(0xFFFFFFFFu, first, lane),
                           lower = __shfl_sync(0xFFFFFFFFu, second, lane);
        return step != 0 && slot % 2 != 0 ? lower : upper;
    }
};

/// Not more than the first pixel of a column's tap, and hardly less. The tap itself, in double precision, would be one
/// more thing to wait for before anything is copied.
__device__ inline std::int32_t first_pixel_at_least(const AxisMap& map, std::int32_t column) {
    constexpr float kBelow = 0.75F;  // half a pixel, as conventions differ, and what is rounded
    return max(static_cast<std::int32_t>(static_cast<float>(column) * map.float_scale - kBelow) - 1, 0);
}

/// The rows of a warp's tile and where it is copied from.
template <Convention convention, class Arithmetic>
__device__ TileSource find_rows(TileRow<Arithmetic>* rows, const TilePair& pair, const TilePlace& place) {
    const int lane = static_cast<int>(threadIdx.x) % kLanes;
    const std::int32_t pitch = pair.shape.pieces * kVectorBytes;
    Tap tap = TileTaps<convention>{pair.rows, pair.asked}.row(place.first_row + min(lane, place.rows - 1));
    TileSource source{0, 2 * place.rows, 0, tap.first, tap.second, pitch};
    std::int32_t slot = 2 * lane;
    if (!pair.shape.apart) {
        // Where the second row is the first of the image, the first is too, or would be the one above it.
        const std::int32_t first = tap.second == 0 ? -1 : tap.first;
        source.top = __shfl_sync(0xFFFFFFFFu, first, 0);
        source.slots = __shfl_sync(0xFFFFFFFFu, first, kLanes - 1) + 2 - source.top;
        slot = first - source.top;
    } else if (__all_sync(0xFFFFFFFFu, tap.fraction == 0) != 0) {
        // One row has all of the weight: let it be the lower, and the upper whatever was summed before.
        tap.fraction = 1;
        source.slots = place.rows;
        source.step = 0;
        slot = lane;
    }
    if (lane < place.rows) rows[lane] = {Arithmetic::row(tap), slot * pitch};
    return source;
}

template <Convention convention, class Arithmetic>
__device__ void find_columns(TileTable<Arithmetic>& table, const TilePair& pair, std::int32_t first_col) {
    const int thread = static_cast<int>(threadIdx.x);
    if (thread >= kTileCols) return;
    // Columns past the last are computed as the last, and not stored.
    const Tap tap = TileTaps<convention>{pair.columns, pair.asked}.column(min(first_col + thread, pair.width - 1));
    table.columns[thread] = tap.first;
    table.weights[thread] = Arithmetic::column(tap);
}

/// A lane's columns.
template <class Arithmetic>
struct TileColumns {
    std::int32_t pixel[kTilePixels];
    typename Arithmetic::Column weights[kTilePixels];

    __device__ explicit TileColumns(const TileTable<Arithmetic>& table) {
        const int first = static_cast<int>(threadIdx.x) % kLanes * kTilePixels;
#pragma unroll
        for (int i = 0; i < kTilePixels; ++i) {
            pixel[i] = table.columns[first + i];
            weights[i] = table.weights[first + i];
        }
    }
};

/// Begins to copy a vector.
__device__ inline void begin_copy(uint4* to, const uint4* from) {
#ifdef __CUDA_ARCH__
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
#else
    *to = *from;
#endif
}
/// The same of its first `bytes`; the rest of it becomes 0.
__device__ inline void begin_partial_copy(uint4* to, const uint4* from, std::int32_t bytes) {
#ifdef __CUDA_ARCH__
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(bytes) : "memory");
#else
    auto* byte = reinterpret_cast<std::uint8_t*>(to);
    for (int i = 0; i < kVectorBytes; ++i)
        byte[i] = i < bytes ? reinterpret_cast<const std::uint8_t*>(from)[i] : std::uint8_t{0};
#endif
}
/// What this thread began to copy since the last group is a group.
__device__ inline void end_group() {
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Until the copies that this warp began are there, but for those of the last `groups`.
template <int groups>
__device__ void wait_for_copies() {
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
#endif
    __syncwarp();
}

/// Copies slots `from` … `end` − 1 of a tile, half a warp each: no copy waits for another, and none takes a register.
template <int channels>
__device__ void copy_rows(uint4* tile, const TilePair& pair, const TileSource& source, std::int32_t from,
                          std::int32_t end) {
    constexpr int kSide = 16;
    const int lane = static_cast<int>(threadIdx.x) % kLanes, side = lane % kSide;
    const std::int32_t left = pair.columns.in * channels - source.byte, pieces = pair.shape.pieces;
    const bool whole = left >= pieces * kVectorBytes;
#pragma unroll 1
    for (std::int32_t first = from; first < end; first += kLanes / kSide) {
        const std::int32_t slot = first + lane / kSide;
        const std::int64_t row = source.row(pair.shape, min(slot, end - 1), pair.rows.in - 1);
        if (slot >= end) continue;
        const auto* vectors = reinterpret_cast<const uint4*>(pair.in + row * pair.in_pitch + source.byte);
        uint4* to = tile + slot * pieces;
        if (whole)
#pragma unroll 1
            for (int piece = side; piece < pieces; piece += kSide) begin_copy(to + piece, vectors + piece);
        else
#pragma unroll 1
            for (int piece = side; piece < pieces; piece += kSide) {
                const std::int32_t bytes = min(max(left - kVectorBytes * piece, 0), kVectorBytes);
                begin_partial_copy(to + piece, bytes > 0 ? vectors + piece : vectors, bytes);
            }
    }
    end_group();
}
}  // namespace lanework::inline LANEWORK_ON_DEVICE
