// Squares of 16 bytes a side: what a thread reads of as many rows of the input, turned in registers, and the tile that
// a block makes of them in shared memory, in columns.
#pragma once

#include "ops/transpose/operation.hpp"
#include "ops/transpose/tiles.hpp"
#include "src/cuda/allow_shared.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kQuad = 16;  ///< bytes that a thread moves at a time

/// How a block divides its tile of elements of type T among its threads.
template <class T>
struct Squares {
    static constexpr int kSide = kQuad / static_cast<int>(sizeof(T));  ///< elements of a side, rows of 16 bytes
    // Runs of 256 bytes are read, and of 256 to 512 written: a row of the output that starts in the middle of a sector
    // costs two partial sectors per run, so long runs are worth most there.
    static constexpr int kRows = sizeof(T) == 1 ? 256 : sizeof(T) == 8 ? 64 : 128;
    static constexpr int kCols = 256 / static_cast<int>(sizeof(T));
    static constexpr int kDown = kRows / kSide, kAcross = kCols / kSide, kThreads = kDown * kAcross;
    /// One below the other: tiles that run side by side continue the same rows of the output.
    using Tile = Tiles<kRows, kCols, TileOrder::down_columns>;

    /// A thread's square: how many lie above it in the tile, and to its left.
    struct Place {
        int down, across;
    };
    static __device__ Place read_by(int thread) { return {thread / kAcross, thread % kAcross}; }
    static __device__ Place written_by(int thread) { return {thread % kDown, thread / kDown}; }
};

/// True when every row of a matrix begins on a 16-byte boundary and holds whole squares.
template <class T>
bool rows_aligned(const T* matrix, std::int64_t width, std::int64_t pitch) {
    constexpr int kSide = Squares<T>::kSide;
    return reinterpret_cast<std::uintptr_t>(matrix) % kQuad == 0 && width % kSide == 0 && pitch % kSide == 0;
}
/// Why there is no block for every tile that `Of` makes of elements of a problem's type; empty when there is.
template <template <class> class Of>
std::string_view refuse_tiles(const Problem& p) {
    switch (size_of(p.dtype)) {
        case 1: return Of<std::uint8_t>::Tile::refuse(p);
        case 2: return Of<std::uint16_t>::Tile::refuse(p);
        case 8: return Of<std::uint64_t>::Tile::refuse(p);
        default: return Of<std::int32_t>::Tile::refuse(p);
    }
}
inline std::string_view refuse_squares(const Problem& p) { return refuse_tiles<Squares>(p); }

__device__ inline unsigned word(const uint4& quad, int i) {
    return i == 0 ? quad.x : i == 1 ? quad.y : i == 2 ? quad.z : quad.w;
}

/// Column `col` of the square with these rows, as 16 bytes. Loops around it are unrolled, so that words are renamed
/// and only elements within a word are moved.
template <class T>
__device__ uint4 column(const uint4 (&row)[Squares<T>::kSide], int col) {
    if constexpr (sizeof(T) == 8) {
        return make_uint4(word(row[0], 2 * col), word(row[0], 2 * col + 1), word(row[1], 2 * col),
                          word(row[1], 2 * col + 1));
    } else if constexpr (sizeof(T) == 4) {
        return make_uint4(word(row[0], col), word(row[1], col), word(row[2], col), word(row[3], col));
    } else if constexpr (sizeof(T) == 2) {
        const unsigned which = col % 2 == 0 ? 0x5410 : 0x7632;  // the lower, or the upper halves of two words
        const auto pair = [&](int k) { return __byte_perm(word(row[k], col / 2), word(row[k + 1], col / 2), which); };
        return make_uint4(pair(0), pair(2), pair(4), pair(6));
    } else {
        // The lower, or the upper bytes of two words in turn; then the lower or the upper two of each.
        const unsigned bytes = col % 4 < 2 ? 0x5140 : 0x7362, pairs = col % 2 == 0 ? 0x5410 : 0x7632;
        const auto two = [&](int k) { return __byte_perm(word(row[k], col / 4), word(row[k + 1], col / 4), bytes); };
        const auto four = [&](int k) { return __byte_perm(two(k), two(k + 2), pairs); };
        return make_uint4(four(0), four(4), four(8), four(12));
    }
}

/// The tile, transposed: columns one behind the other, each a quad for each square, in an order that xor gives. Rows of
/// squares and columns of squares each spread over all banks, so that quads are read and written without conflicts.
template <class T>
struct SquareTile {
    using S = Squares<T>;
    static_assert(S::kAcross <= S::kDown && S::kDown % 8 == 0, "down ^ across must stay within the column");
    uint4 quads[S::kCols * S::kDown];

    __device__ uint4& quad(int down, int across, int k) {
        return quads[(across * S::kSide + k) * S::kDown + (down ^ across)];
    }
    /// The one at `row` of column k of the squares at `across`.
    __device__ T element(int row, int across, int k) {
        return reinterpret_cast<const T*>(&quad(row / S::kSide, across, k))[row % S::kSide];
    }
};

/// Bytes of shared memory that a launch has to ask for: a tile of bytes is more than a block has without asking.
template <class T>
inline constexpr unsigned kAskedShared = sizeof(SquareTile<T>) > 48 * 1024 ? sizeof(SquareTile<T>) : 0;

/// The block's tile.
template <class T>
__device__ SquareTile<T>& block_tile() {
    if constexpr (kAskedShared < T >> 0) {
        extern __shared__ uint4 asked[];
        return *reinterpret_cast<SquareTile<T>*>(asked);
    } else {
        __shared__ SquareTile<T> tile;
        return tile;
    }
}

/// Launches a kernel of tiles: a block for each.
template <class T>
void launch_squares(void (*kernel)(TransposeArgsOf<T>), const TransposeArgsOf<T>& a, cudaStream_t stream) {
    if constexpr (kAskedShared < T >> 0) allow_shared(kernel, static_cast<int>(kAskedShared<T>));
    kernel<<<Squares<T>::Tile::grid(a.rows, a.cols), Squares<T>::kThreads, kAskedShared<T>, stream>>>(a);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
