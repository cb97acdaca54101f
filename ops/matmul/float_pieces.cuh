// A float's 24 bits are three bfloat16's 8: which products of such pieces add up to one of floats, and which floats
// they do not hold. Elements of C that meet one of those are computed by the plain units.
#pragma once

#include "ops/matmul/tiles.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// What six of the nine products of pieces may be off by, as a share of the sum of the magnitudes, however few
/// products: the ε that is left out of each, and what six sums cut off.
inline constexpr double kPiecesDeviation = 0x1p-21;

/// A product from products of pieces: C is the sum of `count` of them. A plain product is one, of piece 0 with piece 0.
struct PieceProducts {
    static constexpr int kMost = 6;
    int count = 1;
    int a[kMost] = {}, b[kMost] = {};  ///< which piece
    int a_rows = 0, b_rows = 0;        ///< where pieces lie under one another: from one to the next
};

inline constexpr int kPieces = 3;

/// a = a0 + a1 + a2, each rounded to nearest: |a1| ≤ 2⁻⁸·|a| and |a2| ≤ 2⁻¹⁶·|a|, and nothing is left. Of the nine
/// products of pieces a1·b2, a2·b1 and a2·b2 are left out: 2⁻²³·|a·b|, one ε, to first order. The smallest come first:
/// a sum loses bits by the size that it has by then.
inline constexpr PieceProducts kFloatProducts{.count = 6, .a = {0, 1, 2, 0, 1, 0}, .b = {2, 1, 0, 1, 0, 0}};

/// Numbers outside of this range (but zero) have pieces or products of pieces below the smallest or above the largest
/// number, or are none. A row of A or column of B with one of them is multiplied by the plain units.
inline constexpr float kLeastSplit = 0x1p-100F, kMostSplit = 0x1p48F;
__device__ inline bool splits(float value) {
    const float magnitude = fabsf(value);
    return magnitude == 0 || (magnitude >= kLeastSplit && magnitude <= kMostSplit);
}

/// Elements that meet such a number are written twice: what beta stands before must lie elsewhere. (A choice is made
/// without arrays, too: they lie nowhere.)
inline bool not_onto_itself(const MatmulArgs<float>& x) {
    return x.finish.beta == 0 || x.finish.c_in != x.c || x.c == nullptr;
}

/// Which rows of A and columns of B have a number that does not split, of a tile of C. It lies in shared memory.
template <int kMostRows, int kMostCols>
struct UnsplitLines {
    bool row[kMostRows], col[kMostCols];

    /// All threads of the block call it.
    __device__ void find(const MatmulOperands<float>& x, std::int64_t first_row, int rows, std::int64_t first_col,
                         int cols) {
        const int threads = static_cast<int>(blockDim.x), thread = static_cast<int>(threadIdx.x);
        for (int r = thread / 32; r < rows; r += threads / 32) {  // a warp looks at a row
            bool found = false;
            if (first_row + r < x.m)
                for (std::int64_t j = thread % 32; j < x.n; j += 32)
                    found |= !splits(x.a[(first_row + r) * x.a_pitch + j]);
            found = __any_sync(~0U, found);
            if (thread % 32 == 0) row[r] = found;
        }
        for (int c = thread; c < cols; c += threads) {
            const std::int64_t at = first_col + c;
            bool found = false;
            if (at < x.k)
                for (std::int64_t j = 0; j < x.n; ++j)
                    found |= !splits(x.b_by_columns ? x.b[at * x.b_pitch + j] : x.b[j * x.b_pitch + at]);
            col[c] = found;
        }
        __syncthreads();
    }
    /// Whether the plain units compute this element of the tile.
    __device__ bool meet(int r, int c) const { return row[r] || col[c]; }
};

/// Calls body(row, col) for the elements of a tile of C that meet such a number. All threads of the block call it.
template <class Body>
__device__ void for_unsplit(const MatmulOperands<float>& x, std::int64_t first_row, int rows, std::int64_t first_col,
                            int cols, const Body& body) {
    constexpr int kMost = 192;
    __shared__ UnsplitLines<kMost, kMost> lines;
    lines.find(x, first_row, rows, first_col, cols);
    for (int i = static_cast<int>(threadIdx.x); i < rows * cols; i += static_cast<int>(blockDim.x)) {
        const std::int64_t r = first_row + i / cols, c = first_col + i % cols;
        if (r < x.m && c < x.k && lines.meet(i / cols, i % cols)) body(r, c);
    }
    __syncthreads();  // before the next tile
}
/// Computes them.
template <bool kPlain>
__device__ void compute_unsplit(const KernelArgs<kPlain, float>& x, std::int64_t first_row, int rows,
                                std::int64_t first_col, int cols) {
    for_unsplit(x, first_row, rows, first_col, cols, [&](std::int64_t r, std::int64_t c) {
        float sum = sum_of_views(x, r, c);
        if constexpr (!kPlain) sum = finished(x.finish, sum, r, c);
        x.c[r * x.c_pitch + c] = sum;
    });
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
