// A float's 24 bits are three bfloat16's 8, for `split_sums`: each operand is split into three pieces that add up to it
// exactly, by one launch; elements of C that meet a number which does not split are computed by the plain units.
#pragma once

#include "ops/matmul/hopper.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// What six of the nine products of pieces may be off by, as a share of the sum of the magnitudes, however few
/// products: the ε that is left out of each, and what six sums cut off.
inline constexpr double kPiecesDeviation = 0x1p-21;

#if LANEWORK_HAS_WARPGROUPS

inline constexpr int kPieces = 3;

/// a = a0 + a1 + a2, each rounded to nearest: |a1| ≤ 2⁻⁸·|a| and |a2| ≤ 2⁻¹⁶·|a|, and nothing is left. Of the nine
/// products of pieces a1·b2, a2·b1 and a2·b2 are left out: 2⁻²³·|a·b|, one ε, to first order. The smallest come first:
/// a sum loses bits by the size that it has by then.
inline constexpr PieceProducts kFloatProducts{.count = 6, .a = {0, 1, 2, 0, 1, 0}, .b = {2, 1, 0, 1, 0, 0}};

/// Numbers outside of this range (but zero) have pieces or products of pieces below the smallest or above the largest
/// number, or are none. A row of A or column of B with one of them is multiplied by the plain units.
__device__ inline bool splits(float value) {
    const float magnitude = fabsf(value);
    return magnitude == 0 || (magnitude >= 0x1p-60F && magnitude <= 0x1p48F);
}

/// What the launch needs beside the operands, in the workspace: the pieces, under one another, in rows of whole 128
/// bytes, which TMA fetches fastest, and whether all numbers split. Every launch writes all of it.
struct FloatPieces {
    static constexpr int kThreads = 256, kMostBlocks = 1024;  // of the kernel that splits: as many as fit at once
    static constexpr int kPerThread = 8;                      // neighbours in a row: 16 bytes of each piece

    bfloat16 *a, *b;
    std::int64_t a_pitch, b_pitch;
    std::int64_t a_vectors, vectors;  ///< of kPerThread numbers, A's first
    unsigned char* unsplit;           ///< of each block: not 0 where a number did not split; 16 · marks of them
    int blocks, marks;
    std::size_t bytes;

    explicit FloatPieces(const MatmulArgs<float>& x) {
        const auto whole = [](std::int64_t count, std::int64_t unit) { return ceil_div(count, unit) * unit; };
        auto* at = static_cast<unsigned char*>(x.workspace);
        const auto take = [&](std::int64_t size) {
            unsigned char* const here = at;
            at += whole(size, 256);
            return here;
        };
        a_pitch = whole(x.n, kStripCols);
        b_pitch = whole(x.k, kStripCols);
        a_vectors = x.m * ceil_div(x.n, kPerThread);
        vectors = a_vectors + x.n * ceil_div(x.k, kPerThread);
        const std::int64_t wanted = ceil_div(vectors, kThreads);
        blocks = static_cast<int>(wanted < kMostBlocks ? wanted : kMostBlocks);
        marks = ceil_div(blocks, 16);
        a = reinterpret_cast<bfloat16*>(take(kPieces * x.m * a_pitch * static_cast<std::int64_t>(sizeof *a)));
        b = reinterpret_cast<bfloat16*>(take(kPieces * x.n * b_pitch * static_cast<std::int64_t>(sizeof *b)));
        unsplit = take(marks * 16);
        bytes = static_cast<std::size_t>(at - static_cast<unsigned char*>(x.workspace));
    }
};

inline std::size_t float_pieces_workspace(const MatmulArgs<float>& x) {
    return x.empty() || x.n == 0 ? 0 : FloatPieces(x).bytes;
}

/// Splits eight neighbours of a row, of which `count` are in the matrix; true where one of them does not split: its
/// pieces are zero.
__device__ inline bool split_vector(const float* from, std::int64_t count, bfloat16* to, std::int64_t to_next_piece) {
    constexpr int kPerThread = FloatPieces::kPerThread;
    alignas(16) float value[kPerThread];
    if (count >= kPerThread && reinterpret_cast<std::uintptr_t>(from) % 16 == 0) {
#pragma unroll
        for (int j = 0; j < kPerThread; j += 4)
            *reinterpret_cast<float4*>(value + j) = *reinterpret_cast<const float4*>(from + j);
    } else {
#pragma unroll
        for (int j = 0; j < kPerThread; ++j) value[j] = j < count ? from[j] : 0.0F;
    }
    bool unsplit = false;
#pragma unroll
    for (int j = 0; j < kPerThread; ++j)
        if (!splits(value[j])) {
            unsplit = true;
            value[j] = 0;
        }
#pragma unroll
    for (int p = 0; p < kPieces; ++p) {
        alignas(16) __nv_bfloat16 piece[kPerThread];
#pragma unroll
        for (int j = 0; j < kPerThread; ++j) {
            piece[j] = __float2bfloat16_rn(value[j]);
            value[j] -= __bfloat162float(piece[j]);
        }
        *reinterpret_cast<uint4*>(to + p * to_next_piece) = *reinterpret_cast<const uint4*>(piece);
    }
    return unsplit;
}

/// Splits A and B.
static __global__ void __launch_bounds__(FloatPieces::kThreads)
    split_into_pieces(MatmulOperands<float> x, const __grid_constant__ FloatPieces to) {
    constexpr int kPerThread = FloatPieces::kPerThread;
    begin_next_kernel();
    const std::int64_t of_a_row = ceil_div(x.n, kPerThread), of_b_row = ceil_div(x.k, kPerThread);
    const auto row_of = [&](std::int64_t i, std::int64_t in_row) -> std::int64_t {  // 64-bit divisions take long
        return to.vectors >> 32 == 0 ? static_cast<std::uint32_t>(i) / static_cast<std::uint32_t>(in_row) : i / in_row;
    };
    bool unsplit = false;
    for (std::int64_t i = std::int64_t{blockIdx.x} * FloatPieces::kThreads + threadIdx.x; i < to.vectors;
         i += std::int64_t{gridDim.x} * FloatPieces::kThreads) {
        if (i < to.a_vectors) {
            const std::int64_t r = row_of(i, of_a_row), c = (i - r * of_a_row) * kPerThread;
            unsplit |= split_vector(x.a + r * x.a_pitch + c, x.n - c, to.a + r * to.a_pitch + c, x.m * to.a_pitch);
        } else {
            const std::int64_t j = i - to.a_vectors, r = row_of(j, of_b_row), c = (j - r * of_b_row) * kPerThread;
            unsplit |= split_vector(x.b + r * x.b_pitch + c, x.k - c, to.b + r * to.b_pitch + c, x.n * to.b_pitch);
        }
    }
    const bool any = __syncthreads_or(unsplit);
    if (threadIdx.x == 0) to.unsplit[blockIdx.x] = any;
    if (blockIdx.x == 0 && to.blocks + static_cast<int>(threadIdx.x) < to.marks * 16)
        to.unsplit[to.blocks + threadIdx.x] = 0;
}

/// What the tensor cores may not compute: the elements of C whose row of A or column of B does not split.
struct UnsplitFloats {
    const unsigned char* unsplit;
    int marks;
    explicit UnsplitFloats(const FloatPieces& pieces) : unsplit(pieces.unsplit), marks(pieces.marks) {}

    /// Whether this thread sees any, of `threads` that look.
    __device__ bool any(int thread, int threads) const {
        unsigned found = 0;
        for (int i = thread; i < marks; i += threads) {
            const uint4 of_blocks = reinterpret_cast<const uint4*>(unsplit)[i];
            found |= of_blocks.x | of_blocks.y | of_blocks.z | of_blocks.w;
        }
        return found != 0;
    }
    /// Computes those of a tile of C, of at most kMost rows or columns. All threads of the block call it.
    template <bool kPlain>
    __device__ void compute(const KernelArgs<kPlain, float>& x, std::int64_t first_row, int rows,
                            std::int64_t first_col, int cols) const {
        constexpr int kMost = 192;
        __shared__ bool row_is_marked[kMost], col_is_marked[kMost];
        const int threads = static_cast<int>(blockDim.x), thread = static_cast<int>(threadIdx.x);
        for (int r = thread / 32; r < rows; r += threads / 32) {  // a warp looks at a row
            bool marked = false;
            if (first_row + r < x.m)
                for (std::int64_t j = thread % 32; j < x.n; j += 32)
                    marked |= !splits(x.a[(first_row + r) * x.a_pitch + j]);
            marked = __any_sync(~0U, marked);
            if (thread % 32 == 0) row_is_marked[r] = marked;
        }
        for (int c = thread; c < cols; c += threads) {
            bool marked = false;
            if (first_col + c < x.k)
                for (std::int64_t j = 0; j < x.n; ++j) marked |= !splits(x.b[j * x.b_pitch + first_col + c]);
            col_is_marked[c] = marked;
        }
        __syncthreads();
        for (int i = thread; i < rows * cols; i += threads) {
            const std::int64_t r = first_row + i / cols, c = first_col + i % cols;
            if (r >= x.m || c >= x.k || !(row_is_marked[i / cols] || col_is_marked[i % cols])) continue;
            float sum = 0;
            for (std::int64_t j = 0; j < x.n; ++j)
                sum = multiply_add(x.a[r * x.a_pitch + j], x.b[j * x.b_pitch + c], sum);
            if constexpr (!kPlain) sum = finished(x.finish, sum, r, c);
            x.c[r * x.c_pitch + c] = sum;
        }
        __syncthreads();  // before the next tile
    }
};

/// Why three pieces of each operand cannot be laid out, or there is no Hopper; empty when they can.
inline std::string_view refuse_float_pieces(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    constexpr std::int64_t kMax = 2147483647 / kPieces - kBlockCols;
    if (m > kMax || n > kMax) return "three pieces under one another must be fewer than 2^31 rows";
    return refuse_without_hopper(p);
}

/// The pieces' products, for matrices of these lengths.
inline PieceProducts products_of_pieces(const MatmulArgs<float>& x) {
    PieceProducts products = kFloatProducts;
    products.a_rows = static_cast<int>(x.m);
    products.b_rows = static_cast<int>(x.n);
    return products;
}

#else
inline std::size_t float_pieces_workspace(const MatmulArgs<float>&) { return 0; }
inline std::string_view refuse_float_pieces(const Problem& p) { return refuse_without_hopper(p); }
#endif  // LANEWORK_HAS_WARPGROUPS

}  // namespace lanework::inline LANEWORK_ON_DEVICE
