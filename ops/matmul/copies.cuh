// Copies from global to shared memory that run while their threads compute (cp.async, from compute capability 8.0 on).
#pragma once

#include "ops/matmul/tiles.hpp"
#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Why the current device cannot run kernels of asynchronous copies, or of tensor cores for bfloat16; empty when it
/// can.
inline std::string_view refuse_before_ampere(const Problem&) {
    int device = 0, major = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess || major < 8)
        return "asynchronous copies, and tensor cores for bfloat16, exist from compute capability 8.0 on";
    return {};
}

/// Writes kBytes (4 or 16) to shared memory: `given` bytes from memory, then zeros. Both sides are aligned to kBytes.
template <int kBytes>
__device__ void copy_async(void* to, const void* from, int given) {
    const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
    if constexpr (kBytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(given) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(address), "l"(from), "r"(given) : "memory");
}
/// Closes a batch of this thread's copies; one may be empty.
__device__ inline void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Waits until all but the newest `kNewest` batches of this thread have arrived.
template <int kNewest>
__device__ void wait_copies() {
    asm volatile("cp.async.wait_group %0;" ::"n"(kNewest) : "memory");
}

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
