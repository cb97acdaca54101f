// A matrix with gaps between its rows, divided among the blocks of a grid as if it had none: no lane is idle, however
// short a row is, and lanes side by side take elements side by side but where a row ends.
#pragma once

#include <lanework/on_device.hpp>
#include <lanework/problem.hpp>

#include "src/cuda/resident_blocks.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// n elements in rows of `cols`. Element i is one of row i / cols, and lies (i / cols) · gap elements further on than
/// if there were no gaps.
struct RowTiles {
    std::int64_t n, cols;
    std::uint32_t reciprocal;  ///< ⌈2³² / cols⌉ − 1
};
inline RowTiles row_tiles(std::int64_t n, std::int64_t cols) {
    return {n, cols, static_cast<std::uint32_t>(ceil_div(std::int64_t{1} << 32, cols) - 1)};
}

/// As many blocks as there are tiles of so many elements, and no more than so many times those that the current device
/// holds at once.
template <class Kernel>
unsigned row_tile_blocks(const RowTiles& tiles, Kernel* kernel, int threads, int each, int waves) {
    const std::int64_t needed = ceil_div(tiles.n, std::int64_t{threads} * each);
    const std::int64_t most = resident_blocks(kernel, threads) * waves;
    return static_cast<unsigned>(needed < most ? needed : most);
}

/// Elements that a block takes at a time, `each` of them a thread. What is asked of an element takes few instructions,
/// of 32 bits where they can be.
template <int threads, int each>
class RowTile {
public:
    __device__ RowTile(const RowTiles& tiles, std::int64_t first, std::int64_t row, std::int64_t col)
        : tiles_(tiles),
          first_(first),
          row_(row),
          col_(static_cast<std::uint32_t>(col)),
          next_(static_cast<int>(tiles.cols - col < kElements ? tiles.cols - col : kElements)),
          count_(static_cast<int>(tiles.n - first < kElements ? tiles.n - first : kElements)) {}

    /// Whether this thread has a k-th element.
    __device__ bool has(int k) const { return local(k) < count_; }
    /// Its number over all rows, and its row.
    __device__ std::int64_t index(int k) const { return first_ + local(k); }
    __device__ std::int64_t row(int k) const { return row_ + rows_on(k); }
    /// Where the tile begins in an array with such a gap, and where this thread's k-th element is from there.
    __device__ std::int64_t begin(std::int64_t gap) const { return first_ + row_ * gap; }
    __device__ std::int64_t offset(int k, std::int64_t gap) const {
        if (has_long_rows()) return local(k) + (local(k) >= next_ ? gap : 0);
        return local(k) + rows_on(k) * gap;
    }

private:
    static constexpr int kElements = threads * each;
    static_assert(kElements <= 1 << 14);

    __device__ static int local(int k) { return k * threads + static_cast<int>(threadIdx.x); }
    /// Of which the tile has parts of two at most.
    __device__ bool has_long_rows() const { return tiles_.cols >= kElements; }
    /// Rows from the tile's first to the element's.
    __device__ std::int64_t rows_on(int k) const {
        if (has_long_rows()) return local(k) >= next_ ? 1 : 0;
        // Less than 2·kElements, whose square is less than 2³²: the reciprocal errs by less than a quotient tells.
        const std::uint32_t col = col_ + static_cast<std::uint32_t>(local(k));
        return static_cast<std::int64_t>((std::uint64_t{col} * tiles_.reciprocal + col) >> 32);
    }

    const RowTiles& tiles_;
    std::int64_t first_, row_;  ///< of the tile's first element
    std::uint32_t col_;         ///< of it, where rows are short
    int next_, count_;          ///< elements of the tile before its second row, and at all
};

/// Calls body(tile) for each tile of this block of `threads` threads. Nothing is divided but before the first.
template <int threads, int each, class Body>
__device__ void for_each_tile(const RowTiles& tiles, const Body& body) {
    constexpr std::int64_t kElements = std::int64_t{threads} * each;
    const std::int64_t step = gridDim.x * kElements, step_rows = step / tiles.cols, step_cols = step % tiles.cols;
    std::int64_t first = blockIdx.x * kElements, row = first / tiles.cols, col = first % tiles.cols;
    for (; first < tiles.n; first += step) {
        body(RowTile<threads, each>(tiles, first, row, col));
        row += step_rows;
        col += step_cols;
        if (col >= tiles.cols) {
            col -= tiles.cols;
            ++row;
        }
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
