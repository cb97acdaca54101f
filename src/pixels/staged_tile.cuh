// The samples around a block's part of an image, in shared memory, for filters of 3×3 pixels.
#pragma once

#include "src/pixels/reflect.hpp"
#include "src/pixels/words.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// A tile is so many samples of so many rows, and a block computes it with kThreadRows rows of threads.
struct FilterTile {
    static constexpr int kCols = 64, kRows = 16, kThreadRows = 4;
};

/// A tile with a pixel, of four channels at most, on every side.
template <class T>
struct StagedTile {
    static constexpr int kRows = FilterTile::kRows + 2, kCols = FilterTile::kCols + 2 * 4;
    T sample[kRows][kCols];

    /// By all threads of a block; row 0 is the one above `first_row`. Threads beyond the image stage its reflection;
    /// the far side of a ragged tile is cut to the last reflection.
    __device__ void stage(const ImageView<const T>& in, std::int64_t first_row) {
        const std::int64_t length = in.width * in.channels, first_col = std::int64_t{blockIdx.x} * FilterTile::kCols;
        for (int row = static_cast<int>(threadIdx.y); row < kRows; row += FilterTile::kThreadRows) {
            const T* samples = row_of(in, reflect(min(first_row + row - 1, in.height), in.height));
            for (int c = static_cast<int>(threadIdx.x); c < FilterTile::kCols + 2 * in.channels;
                 c += FilterTile::kCols) {
                const std::int64_t at = min(first_col + c, length + 2 * in.channels - 1);  // from pixel −1 on
                const std::int64_t pixel = at / in.channels - 1, channel = at % in.channels;
                sample[row][c] = samples[reflect(pixel, in.width) * in.channels + channel];
            }
        }
    }
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
