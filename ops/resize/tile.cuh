// A tile is what a block needs of the input: a piece of rows that lie one below the other, copied into shared memory
// before anything is computed. Where rows end is dealt with here, so that whoever reads a tile need not ask.
#pragma once

#include "ops/resize/strip.cuh"
#include "src/image/words.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kTilePixels = 4;  ///< of a lane, next to each other
inline constexpr int kTileCols = kLanes * kTilePixels, kMostTileRows = 16 /* of a warp */;
/// With the tables and what is staged, less than what a kernel has without asking.
inline constexpr int kMostTileBytes = 40 * 1024;
/// Bytes that are read from a lane's first pixel on, at most.
inline constexpr int kReadBytes = 24;

/// How tiles of an image are laid out.
struct TileShape {
    std::int32_t pieces;  ///< vectors of a row of the tile
    std::int32_t rows;    ///< output rows of a warp

    static constexpr TileShape of(const AxisMap& columns, int channels, std::int32_t rows) {
        // A position may be rounded to the next pixel, and the first pixel lies anywhere in a vector.
        const double reach = (kTileCols * columns.scale + 2) * channels + kReadBytes + kVectorBytes;
        return {static_cast<std::int32_t>(reach) / kVectorBytes + 1, rows};
    }
    /// The rows of the input that a tile takes, at most.
    constexpr int slots(const AxisMap& map) const { return static_cast<std::int32_t>(kWarps * rows * map.scale) + 4; }
    constexpr int bytes(const AxisMap& map) const { return slots(map) * pieces * kVectorBytes; }
};

/// The taps of a block. The two rows of a tap are neighbours, which may lie outside of the image; what is clamped is
/// the row that is copied.
template <class Arithmetic>
struct TileTables {
    struct Row {
        typename Arithmetic::Row weights;
        std::int32_t first;
    };
    alignas(16) std::int32_t columns[kTileCols];  ///< first pixels
    alignas(16) typename Arithmetic::Column weights[kTileCols];
    alignas(16) Row rows[kWarps * kMostTileRows];
};

/// A lane's columns.
template <class Arithmetic>
struct TileColumns {
    std::int32_t pixel[kTilePixels];  ///< from the first that the tile holds
    typename Arithmetic::Column weights[kTilePixels];

    __device__ TileColumns(const TileTables<Arithmetic>& tables, std::int32_t first_pixel) {
        const int first = static_cast<int>(threadIdx.x) % kLanes * kTilePixels;
#pragma unroll
        for (int i = 0; i < kTilePixels; ++i) {
            pixel[i] = tables.columns[first + i] - first_pixel;
            weights[i] = tables.weights[first + i];
        }
    }
};

/// Where a tile lies in the output.
struct TilePlace {
    std::int32_t first_col, first_row, rows;
};
/// What it is copied from.
struct TileSource {
    std::int32_t row, slots;  ///< input rows; the first may be −1
    std::int32_t byte;        ///< from the begin of a row, a multiple of vectors
};

template <Convention convention, class Arithmetic>
__device__ void fill_tables(TileTables<Arithmetic>& tables, const ResizePair<std::uint8_t>& pair, Convention asked,
                            const TilePlace& place) {
    const int thread = static_cast<int>(threadIdx.x);
    const auto tap_of = [&](bool column, const AxisMap& map, std::int32_t at) {
        if (convention == Convention::opencv) return column ? opencv_column(map, at) : opencv_row(map, at);
        return asked == Convention::floating ? float_tap<Convention::floating>(map, at)
                                             : float_tap<Convention::legacy>(map, at);
    };
    static_assert(kStripThreads == kTileCols);
    // Columns past the last are computed as the last, and not stored.
    const Tap column =
        tap_of(true, pair.columns, min(place.first_col + thread, static_cast<std::int32_t>(pair.out.width) - 1));
    tables.columns[thread] = column.first;
    tables.weights[thread] = Arithmetic::column(column);
    if (thread >= place.rows) return;
    const Tap row = tap_of(false, pair.rows, place.first_row + thread);
    // Where the second row is the first of the image, the first is too, or would be the one above it.
    tables.rows[thread] = {Arithmetic::row(row), row.second == 0 ? -1 : row.first};
}

template <class Arithmetic>
__device__ TileSource source_of(const TileTables<Arithmetic>& tables, const TilePlace& place, int channels) {
    const std::int32_t row = tables.rows[0].first, end = tables.rows[place.rows - 1].first + 2;
    return {row, end - row, tables.columns[0] * channels & ~(kVectorBytes - 1)};
}

/// Begins to copy the first `bytes` of a vector, 0 … 16; the rest of it becomes 0.
__device__ inline void begin_copy(uint4* to, const std::uint8_t* from, std::int32_t bytes) {
#ifdef __CUDA_ARCH__
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(bytes) : "memory");
#else
    auto* byte = reinterpret_cast<std::uint8_t*>(to);
    if (bytes == kVectorBytes)
        *to = *reinterpret_cast<const uint4*>(from);
    else
        for (int i = 0; i < kVectorBytes; ++i) byte[i] = i < bytes ? from[i] : std::uint8_t{0};
#endif
}
/// Until the copies that this thread began are there.
__device__ inline void wait_for_copies() {
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Copies the rows of a tile, half a warp each: no copy waits for another, and none takes a register.
__device__ inline void copy_tile(uint4* tile, const ImageView<const std::uint8_t>& in, const TileShape& shape,
                                 const TileSource& source) {
    constexpr int kSide = 16;
    const int thread = static_cast<int>(threadIdx.x);
    const auto last = static_cast<std::int32_t>(in.height) - 1,
               row_bytes = static_cast<std::int32_t>(in.width) * in.channels;
    for (int piece = thread % kSide; piece < shape.pieces; piece += kSide) {
        const std::int32_t offset = source.byte + kVectorBytes * piece;
        const std::int32_t bytes = min(max(row_bytes - offset, 0), kVectorBytes);
        for (int slot = thread / kSide; slot < source.slots; slot += kStripThreads / kSide) {
            const std::uint8_t* row = row_of(in, min(max(source.row + slot, 0), last));
            begin_copy(tile + slot * shape.pieces + piece, row + (bytes > 0 ? offset : 0), bytes);
        }
    }
    wait_for_copies();
}
}  // namespace lanework::inline LANEWORK_ON_DEVICE
