// The tile of `vectorized` and `double_buffered`: 128 × 128 elements of C per block of 256 threads, 8 × 8 per thread,
// moved four elements at a time between global memory, registers and shared memory.
#pragma once

#include "ops/matmul/tiles.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Four neighbours in a row, moved by one 16-byte access.
template <class T>
struct alignas(16) Quad {
    T value[4];
};

/// A matrix in memory: rows × cols elements, rows `pitch` elements apart.
template <class T>
struct Operand {
    T* first;
    std::int64_t rows, cols, pitch;

    /// True when every row starts on a 16-byte boundary and holds whole quads.
    bool in_quads() const {
        return cols % 4 == 0 && pitch % 4 == 0 && reinterpret_cast<std::uintptr_t>(first) % sizeof(Quad<T>) == 0;
    }
};
template <class T>
__host__ __device__ Operand<const T> rows_of_a(const MatmulOperands<T>& x) {
    return {x.a, x.m, x.n, x.a_pitch};
}
/// As it lies: n × k, or k × n where it is given by columns.
template <class T>
__host__ __device__ Operand<const T> rows_of_b(const MatmulOperands<T>& x, bool by_columns = false) {
    return by_columns ? Operand<const T>{x.b, x.k, x.n, x.b_pitch} : Operand<const T>{x.b, x.n, x.k, x.b_pitch};
}
template <class T>
__host__ __device__ Operand<T> rows_of_c(const MatmulOperands<T>& x) {
    return {x.c, x.m, x.k, x.c_pitch};
}
/// True when all three can be moved in quads.
template <class T>
bool in_quads(const MatmulArgs<T>& x) {
    return rows_of_a(x).in_quads() && rows_of_b(x, x.b_by_columns).in_quads() && rows_of_c(x).in_quads();
}

/// Elements (row, col) … (row, col + 3), zero outside of the matrix. With kQuads, col is a multiple of 4 and the matrix
/// is in_quads: a quad is then inside or outside as a whole.
template <bool kQuads, class T>
__device__ Quad<T> quad_at(const Operand<const T>& matrix, std::int64_t row, std::int64_t col) {
    if constexpr (kQuads) {
        Quad<T> quad{};
        if (row < matrix.rows && col < matrix.cols)
            quad = *reinterpret_cast<const Quad<T>*>(matrix.first + row * matrix.pitch + col);
        return quad;
    } else {
        Quad<T> quad{};
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (row < matrix.rows && col + i < matrix.cols) quad.value[i] = matrix.first[row * matrix.pitch + col + i];
        return quad;
    }
}

/// The inverse of quad_at: what lies outside of the matrix is dropped.
template <bool kQuads, class T>
__device__ void put_quad(const Quad<T>& quad, const Operand<T>& matrix, std::int64_t row, std::int64_t col) {
    if (row >= matrix.rows) return;
    T* const to = matrix.first + row * matrix.pitch + col;
    if constexpr (kQuads) {
        if (col < matrix.cols) *reinterpret_cast<Quad<T>*>(to) = quad;
    } else {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (col + i < matrix.cols) to[i] = quad.value[i];
    }
}

inline constexpr int kQuadTileSide = 128;  // rows and columns of C per block
inline constexpr int kQuadTileThreads = 256;

/// The steps of a block: A's tile transposed, so that four rows of a column are one quad, and B's where it is given by
/// columns. The pitch of such a tile is a multiple of a quad that is not one of 32 words: the transposed writes of a
/// warp spread over the banks.
template <class T, int kDepth, bool kByColumns = false>
struct QuadTiles {
    alignas(16) T a[kDepth][kQuadTileSide + 4];
    alignas(16) T b[kDepth][kQuadTileSide + (kByColumns ? 4 : 0)];
};

/// One thread's part in moving the operands' tiles: kLoads quads of each.
template <class T, int kDepth, bool kByColumns = false>
struct QuadMover {
    static constexpr int kLoads = kDepth * kQuadTileSide / 4 / kQuadTileThreads;
    Quad<T> a[kLoads], b[kLoads];

    /// Place of this thread's quad number `load` in a tile that comes in columns, as A's: which column, its first term.
    static __device__ int column(int load) {
        return (static_cast<int>(threadIdx.x) + load * kQuadTileThreads) / (kDepth / 4);
    }
    static __device__ int term() { return static_cast<int>(threadIdx.x) % (kDepth / 4) * 4; }
    /// Likewise in B's tile, where it comes in rows: row and first column.
    static __device__ int b_row(int load) {
        return (static_cast<int>(threadIdx.x) + load * kQuadTileThreads) / (kQuadTileSide / 4);
    }
    static __device__ int b_col() { return static_cast<int>(threadIdx.x) % (kQuadTileSide / 4) * 4; }

    /// From global memory to registers: the tiles of C's tile at (row, col), `first` columns into A.
    template <bool kQuads>
    __device__ void load(const MatmulOperands<T>& x, std::int64_t row, std::int64_t col, std::int64_t first) {
#pragma unroll
        for (int l = 0; l < kLoads; ++l) {
            a[l] = quad_at<kQuads>(rows_of_a(x), row + column(l), first + term());
            const std::int64_t b_at = kByColumns ? col + column(l) : first + b_row(l);
            b[l] = quad_at<kQuads>(rows_of_b(x, kByColumns), b_at, kByColumns ? first + term() : col + b_col());
        }
    }
    /// From registers to shared memory.
    __device__ void store(QuadTiles<T, kDepth, kByColumns>& tiles) const {
#pragma unroll
        for (int l = 0; l < kLoads; ++l) {
#pragma unroll
            for (int i = 0; i < 4; ++i) tiles.a[term() + i][column(l)] = a[l].value[i];
            if constexpr (kByColumns) {
#pragma unroll
                for (int i = 0; i < 4; ++i) tiles.b[term() + i][column(l)] = b[l].value[i];
            } else {
                *reinterpret_cast<Quad<T>*>(&tiles.b[b_row(l)][b_col()]) = b[l];
            }
        }
    }
};

/// One thread's 8 × 8 elements of C: four squares of 4 × 4 in the 32 × 64 elements of its warp. Eight warps stand four
/// high and two wide, the lanes of each four high and eight wide: every read of a tile is one quad per lane, of which a
/// warp reads 64 bytes of A and 128 of B, free of bank conflicts.
template <class T>
class QuadSums {
public:
    __device__ QuadSums() : row_(warp() / 2 * 32 + lane() / 8 * 4), col_(warp() % 2 * 64 + lane() % 8 * 4) {}

    /// Adds the product of the tiles.
    template <int kDepth, bool kByColumns>
    __device__ void add(const QuadTiles<T, kDepth, kByColumns>& tiles) {
#pragma unroll
        for (int i = 0; i < kDepth; ++i) {
            Quad<T> down[2], across[2];
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                down[h] = *reinterpret_cast<const Quad<T>*>(&tiles.a[i][row_ + h * 16]);
                across[h] = *reinterpret_cast<const Quad<T>*>(&tiles.b[i][col_ + h * 32]);
            }
#pragma unroll
            for (int r = 0; r < 8; ++r)
#pragma unroll
                for (int s = 0; s < 8; ++s)
                    sums_[r][s] = multiply_add(down[r / 4].value[r % 4], across[s / 4].value[s % 4], sums_[r][s]);
        }
    }

    /// To C at (row, col) of it; not `kPlain`, what the epilogue makes of the sums.
    template <bool kQuads, bool kPlain = true>
    __device__ void write(const KernelArgs<kPlain, T>& x, std::int64_t row, std::int64_t col) const {
#pragma unroll
        for (int r = 0; r < 8; ++r)
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const std::int64_t to_row = row + row_ + r / 4 * 16 + r % 4, to_col = col + col_ + h * 32;
                Quad<T> quad{{sums_[r][h * 4], sums_[r][h * 4 + 1], sums_[r][h * 4 + 2], sums_[r][h * 4 + 3]}};
                if constexpr (!kPlain) {
#pragma unroll
                    for (int i = 0; i < 4; ++i)
                        if (to_row < x.m && to_col + i < x.k)
                            quad.value[i] = finished(x.finish, quad.value[i], to_row, to_col + i);
                }
                put_quad<kQuads>(quad, rows_of_c(x), to_row, to_col);
            }
    }

private:
    static __device__ int warp() { return static_cast<int>(threadIdx.x) / 32; }
    static __device__ int lane() { return static_cast<int>(threadIdx.x) % 32; }
    int row_, col_;
    T sums_[8][8]{};
};

/// Adds up the tile of C at (row, col), two pairs of tiles in turn: while one is multiplied, the next is on its way.
template <bool kQuads, class T, int kDepth, bool kByColumns>
__device__ void add_tiles(QuadSums<T>& sums, const MatmulOperands<T>& x, std::int64_t row, std::int64_t col,
                          QuadTiles<T, kDepth, kByColumns> (&tiles)[2]) {
    QuadMover<T, kDepth, kByColumns> mover;
    mover.template load<kQuads>(x, row, col, 0);
    mover.store(tiles[0]);
    __syncthreads();
    int current = 0;
    for (std::int64_t next = kDepth; next < x.n; next += kDepth) {
        mover.template load<kQuads>(x, row, col, next);
        sums.add(tiles[current]);
        current ^= 1;
        mover.store(tiles[current]);  // last read a step ago, before the barrier
        __syncthreads();
    }
    sums.add(tiles[current]);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
