// A matrix with gaps between its rows, divided among the threads of a grid: lanes side by side take elements side by
// side, and none computes where an element is but once.
#pragma once

#include <lanework/on_device.hpp>
#include <lanework/problem.hpp>

#include "src/cuda/resident_blocks.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Rows of `cols` elements, cut into tiles of lanes × each elements of one row. A tile is read by `lanes` threads, each
/// of which takes `each` elements that lie `lanes` apart.
struct RowTiles {
    std::int64_t rows, cols;
    int lanes;             ///< a power of two, at most a warp
    std::int64_t per_row;  ///< tiles

    std::int64_t threads() const { return rows * per_row * lanes; }
};

/// A warp for a row of 32 elements or more, and several rows for a warp where they are shorter.
inline RowTiles row_tiles(std::int64_t rows, std::int64_t cols, int each) {
    int lanes = 1;
    while (lanes < 32 && lanes < cols) lanes *= 2;
    return {rows, cols, lanes, ceil_div(cols, std::int64_t{lanes} * each)};
}

/// As many blocks as the tiles need, and no more than the current device holds at once.
template <class Kernel>
unsigned row_tile_blocks(const RowTiles& tiles, Kernel* kernel, int threads) {
    const std::int64_t needed = ceil_div(tiles.threads(), std::int64_t{threads});
    const std::int64_t resident = resident_blocks(kernel, threads);
    return static_cast<unsigned>(needed < resident ? needed : resident);
}

/// Calls body(row, first) for every tile that this thread takes part in: its elements are first, first + tiles.lanes,
/// …, as many as it takes, those that are less than tiles.cols. It takes every so many tiles and divides but twice.
template <int each, class Body>
__device__ void for_each_tile(const RowTiles& tiles, const Body& body) {
    const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x / tiles.lanes, first = thread / tiles.lanes;
    const std::int64_t step_rows = step / tiles.per_row, step_tiles = step % tiles.per_row;
    const std::int64_t lane = thread % tiles.lanes, width = std::int64_t{tiles.lanes} * each;
    std::int64_t tile = first % tiles.per_row;
    for (std::int64_t row = first / tiles.per_row; row < tiles.rows; row += step_rows) {
        body(row, tile * width + lane);
        tile += step_tiles;
        if (tile >= tiles.per_row) {
            tile -= tiles.per_row;
            ++row;
        }
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
