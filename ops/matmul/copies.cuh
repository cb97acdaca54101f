// Tiles of matrices that come to shared memory while their threads compute.
#pragma once

#include "ops/matmul/tiles.hpp"
#include "src/cuda/copies_to_shared.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// A thread's part in copying tiles of a matrix to shared memory: kVectors vectors of kVector elements, in one column
/// of the tile. Addresses are counted up from step to step. Outside of the matrix are zeros.
template <int kTileRows, int kTileCols, int kVector, int kThreads, class T>
class TileCopier {
    static constexpr int kPerRow = kTileCols / kVector, kRowsAtOnce = kThreads / kPerRow;
    static_assert(kThreads % kPerRow == 0 && kTileRows % kRowsAtOnce == 0);

public:
    /// The tile that starts at (row, col) of rows × cols elements, rows `pitch` elements apart.
    __device__ TileCopier(const T* matrix, std::int64_t rows, std::int64_t cols, std::int64_t pitch, std::int64_t row,
                          std::int64_t col)
        : r_(static_cast<int>(threadIdx.x) / kPerRow),
          c_(static_cast<int>(threadIdx.x) % kPerRow * kVector),
          from_(matrix + (row + r_) * pitch + col + c_),
          pitch_(pitch),
          inside_(matrix),
          rows_left_(rows - row - r_),
          cols_left_(cols - col - c_) {}

    /// Moves the tile down and to the right.
    __device__ void advance(int down, int right) {
        from_ += down * pitch_ + right;
        rows_left_ -= down;
        cols_left_ -= right;
    }
    /// Asks for the tile; place(row, col) says where an element of it goes.
    template <class Place>
    __device__ void copy(const Place& place) const {
        const int in_row = cols_left_ >= kVector ? kVector : cols_left_ > 0 ? static_cast<int>(cols_left_) : 0;
#pragma unroll
        for (int i = 0; i < kTileRows; i += kRowsAtOnce) {
            const int given = i < rows_left_ ? in_row : 0;
            const T* const from = given > 0 ? from_ + i * pitch_ : inside_;
            if constexpr (kVector * sizeof(T) >= 4)
                copy_async<static_cast<int>(kVector * sizeof(T))>(place(r_ + i, c_), from,
                                                                  given * static_cast<int>(sizeof(T)));
            else
                *place(r_ + i, c_) = given > 0 ? *from : T{};  // too narrow to be copied asynchronously
        }
    }

private:
    int r_, c_;
    const T* from_;
    std::int64_t pitch_;
    const T* inside_;  // an address that may be read
    std::int64_t rows_left_, cols_left_;
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
