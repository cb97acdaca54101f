// How a GPU's blocks cover an output: tiles of 32 columns, a warp to each row, several rows to each thread.
#pragma once

#include "ops/warp/blend.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kTileWidth = 32, kTileHeight = 64;
constexpr int kWarps = 8;
inline constexpr unsigned kMostBlocksDown = 65535;  ///< of a grid; a block goes on to the tiles that are left

inline dim3 tiles_of(std::int64_t height, std::int64_t width, int tile_height) {
    const std::int64_t down = ceil_div(height, tile_height);
    return {static_cast<unsigned>(ceil_div(width, kTileWidth)),
            static_cast<unsigned>(down < kMostBlocksDown ? down : kMostBlocksDown)};
}

/// The parts of positions in a tile, computed once by its block.
template <class Number>
struct TileTerms {
    Terms<Number> columns[kTileWidth], rows[kTileHeight];
};

/// Fills the terms of the tile that begins at row `y` and column `x`; all threads of the block call it.
template <class Number>
__device__ void stage_terms(TileTerms<Number>& terms, const Affine& to_in, std::int64_t y, std::int64_t x) {
    const int thread = static_cast<int>(threadIdx.y) * kTileWidth + static_cast<int>(threadIdx.x);
    __syncthreads();
    if (thread < kTileWidth)
        terms.columns[thread] = column_terms<Number>(to_in, x + thread);
    else if (thread < kTileWidth + kTileHeight)
        terms.rows[thread - kTileWidth] = row_terms<Number>(to_in, y + thread - kTileWidth);
    __syncthreads();
}

/// Calls pixel(y, x, site) for each pixel of the output that this thread computes; every lane of a warp makes the
/// calls, and those whose x is beyond the output take part in what the warp does together.
template <class Number, class T, class Pixel>
__device__ void for_each_site(const WarpArgs<T>& a, TileTerms<Number>& terms, const Pixel& pixel) {
    const std::int64_t left = std::int64_t{blockIdx.x} * kTileWidth, x = left + threadIdx.x;
    for (std::int64_t top = std::int64_t{blockIdx.y} * kTileHeight; top < a.out.height;
         top += std::int64_t{gridDim.y} * kTileHeight) {
        stage_terms(terms, a.to_in, top, left);
        const Terms<Number> column = terms.columns[threadIdx.x];
        for (int row = static_cast<int>(threadIdx.y); row < kTileHeight && top + row < a.out.height; row += kWarps) {
            const Terms<Number> of_row = terms.rows[row];  // both numbers at once
            pixel(top + row, x, site_of(column, of_row));
        }
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
