// Products of a matrix with a vector, or a few: each element of the matrix meets one of each vector, and that is
// all. What counts is how many loads are on their way, so nobody waits for anybody: no tile, no barrier before the end,
// and the vectors, which all warps read, come from the first cache.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

#include "ops/matmul/halves.cuh"
#include "ops/matmul/many_rows.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kMostVectors = 4;

/// What one load brings: neighbours of a row.
template <class T>
struct SixteenBytes {
    static constexpr int kCount = 16 / sizeof(T);
    uint4 words = {};  ///< zeros, where nothing is loaded

    __device__ void load(const T* from) { words = *reinterpret_cast<const uint4*>(from); }
    /// Of the matrix: it is not read again.
    __device__ void load_once(const T* from) { words = __ldcs(reinterpret_cast<const uint4*>(from)); }
    __device__ void widen(SumOf<T> (&to)[kCount]) const {
        const auto all = std::bit_cast<std::array<T, kCount>>(words);
        const unsigned pairs[] = {words.x, words.y, words.z, words.w};
#pragma unroll
        for (int i = 0; i < kCount; ++i)
            if constexpr (std::is_same_v<T, bfloat16>)  // a word's upper half as it lies
                to[i] = std::bit_cast<float>(i % 2 == 0 ? pairs[i / 2] << 16 : pairs[i / 2] & 0xffff0000U);
            else
                to[i] = number_at(&all[i]);
    }
};

// --- rows that lie along the sums: A's, or B's columns

inline constexpr int kDotThreads = 128;
inline constexpr int kDotLoads = 4;  // of 16 bytes, that a lane has on their way

/// kLanes lanes of a warp for each row: they have 16 bytes of it side by side, and add their sums up at the end. Short
/// rows have few lanes each: more would have one load apiece, and add up for longer than they multiply. Products lie
/// along z.
template <int kVectors, int kLanes, bool kPlain, class T>
__global__ void __launch_bounds__(kDotThreads)
    dots_of_rows(KernelArgs<kPlain, T> x, ManyRows<T> of, const Products products) {
    constexpr int kEach = SixteenBytes<T>::kCount, kWide = kLanes * kEach;
    static_assert(kVectors <= kLanes);
    const int lane = static_cast<int>(threadIdx.x) % kLanes;
    const std::int64_t row = std::int64_t{blockIdx.x} * (kDotThreads / kLanes) + threadIdx.x / kLanes;
    const bool inside = row < of.row_count;
    if (kLanes == 32 && !inside) return;  // others have lanes that their warp waits for
    const std::int64_t product = blockIdx.z;
    const T* const rows = of.rows + product * (of.swapped ? products.to_next_b : products.to_next_a);
    const T* const vectors = of.columns + product * (of.swapped ? products.to_next_a : products.to_next_b);
    x.c += product * products.to_next_c;
    const T* from = rows + row * of.row_pitch + lane * kEach;
    const T* vector = vectors + lane * kEach;
    SumOf<T> sums[kVectors]{};
    std::int64_t left = inside ? x.n - lane * kEach : 0;
    // The last loads are few; behind the end are zeros of the row and of the vectors.
    const auto add = [&]<bool kWhole>(std::bool_constant<kWhole>) {
        SixteenBytes<T> of_row[kDotLoads];
#pragma unroll
        for (int u = 0; u < kDotLoads; ++u)
            if (kWhole || u * kWide < left) of_row[u].load_once(from + u * kWide);
#pragma unroll
        for (int v = 0; v < kVectors; ++v) {
            SixteenBytes<T> of_vector[kDotLoads];
#pragma unroll
            for (int u = 0; u < kDotLoads; ++u)
                if (kWhole || u * kWide < left)
                    of_vector[u].load(vector + (v < of.column_count ? v : 0) * of.to_next_column + u * kWide);
#pragma unroll
            for (int u = 0; u < kDotLoads; ++u) {
                SumOf<T> of_left[kEach], of_right[kEach];
                of_row[u].widen(of_left);
                of_vector[u].widen(of_right);
#pragma unroll
                for (int i = 0; i < kEach; ++i) sums[v] = multiply_add(of_left[i], of_right[i], sums[v]);
            }
        }
        from += kDotLoads * kWide;
        vector += kDotLoads * kWide;
        left -= kDotLoads * kWide;
    };
    while (left > (kDotLoads - 1) * kWide) add(std::true_type{});
    if (left > 0) add(std::false_type{});
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
#pragma unroll
        for (int other = kLanes / 2; other > 0; other /= 2) sums[v] += __shfl_xor_sync(~0U, sums[v], other);
        if (inside && lane == v && v < of.column_count)
            write_sum<kPlain>(x, of.swapped ? v : row, of.swapped ? row : v, sums[v]);
    }
}

// --- rows that lie along C: B's

inline constexpr int kMostSumThreads = 1024;
inline constexpr int kSumLoads = 8;
inline constexpr int kMostAcrossBits = 5;  // lanes side by side on a row, as a power of two: a warp's 512 bytes

/// A block for 2^across_bits times 16 bytes of B's rows, which all of its lanes read one below the other, for one row
/// of A; at the end they add their sums up, lanes first. Products lie along z. In dynamic shared memory are the sums of
/// each warp.
template <bool kPlain, class T>
__global__ void __launch_bounds__(kMostSumThreads)
    sum_of_rows(KernelArgs<kPlain, T> x, const Products products, int across_bits) {
    constexpr int kEach = SixteenBytes<T>::kCount;
    extern __shared__ unsigned char sums_of_warps[];
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int across = 1 << across_bits, place = lane & (across - 1), wide = across * kEach;
    auto* const of_warps = reinterpret_cast<SumOf<T>*>(sums_of_warps);  // `wide` of each
    const std::int64_t first_col = std::int64_t{blockIdx.x} * wide, col = first_col + place * kEach;
    const std::int64_t product = blockIdx.z, step = blockDim.x >> across_bits;
    x.c += product * products.to_next_c;
    SumOf<T> sums[kEach]{};
    if (col < x.k) {
        const std::int64_t own = threadIdx.x >> across_bits;
        const T* from = x.b + product * products.to_next_b + own * x.b_pitch + col;
        const T* terms = x.a + product * products.to_next_a + own;
        std::int64_t left = x.n - own;
        const auto add = [&]<bool kWhole>(std::bool_constant<kWhole>) {
            SixteenBytes<T> of_row[kSumLoads];
            SumOf<T> term[kSumLoads]{};
#pragma unroll
            for (int u = 0; u < kSumLoads; ++u)
                if (kWhole || u * step < left) of_row[u].load_once(from + u * step * x.b_pitch);
#pragma unroll
            for (int u = 0; u < kSumLoads; ++u)
                if (kWhole || u * step < left) term[u] = number_at(terms + u * step);
#pragma unroll
            for (int u = 0; u < kSumLoads; ++u) {
                SumOf<T> factors[kEach];
                of_row[u].widen(factors);
#pragma unroll
                for (int i = 0; i < kEach; ++i) sums[i] = multiply_add(term[u], factors[i], sums[i]);
            }
            from += kSumLoads * step * x.b_pitch;
            terms += kSumLoads * step;
            left -= kSumLoads * step;
        };
        while (left > (kSumLoads - 1) * step) add(std::true_type{});
        if (left > 0) add(std::false_type{});
    }
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
        for (int other = across; other < 32; other *= 2) sums[i] += __shfl_xor_sync(~0U, sums[i], other);
        if (lane < across) of_warps[warp * wide + place * kEach + i] = sums[i];
    }
    __syncthreads();
    const int warps = static_cast<int>(blockDim.x) / 32;
    for (int c = static_cast<int>(threadIdx.x); c < wide && first_col + c < x.k; c += static_cast<int>(blockDim.x)) {
        SumOf<T> sum{};
#pragma unroll 4
        for (int w = 0; w < warps; ++w) sum += of_warps[w * wide + c];
        write_sum<kPlain>(x, 0, first_col + c, sum);
    }
}

// --- on the host

/// Whether the matrix that is read once comes by 16 bytes, and so do vectors that lie along its rows.
template <class T>
bool is_of_vectors(const MatmulArgs<T>& x, const Products& products) {
    constexpr std::int64_t kEach = SixteenBytes<T>::kCount;
    const auto aligned = [](const T* first, std::int64_t pitch, std::int64_t to_next) {
        return reinterpret_cast<std::uintptr_t>(first) % 16 == 0 && pitch % kEach == 0 && to_next % kEach == 0;
    };
    if (reads_rows_of_b(x)) return x.m == 1 && x.k % kEach == 0 && aligned(x.b, x.b_pitch, products.to_next_b);
    if (std::min(x.m, x.k) > kMostVectors) return false;
    const ManyRows<T> of(x);
    const std::int64_t to_next_column = of.column_count > 1 ? of.to_next_column : 0;
    return of.to_next_term == 1 && x.n % kEach == 0 &&
           aligned(x.a, of.swapped ? to_next_column : of.row_pitch, products.to_next_a) &&
           aligned(x.b, of.swapped ? of.row_pitch : to_next_column, products.to_next_b);
}
inline constexpr std::string_view kVectorsAlone =
    "one row, or up to four with B by columns, or one column; rows of the matrix, and what lies along them, by 16 "
    "bytes";

/// Why a grid has not a warp for each row; empty when it has.
inline std::string_view refuse_vectors_beyond_grid(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    constexpr std::int64_t kMost = std::int64_t{2147483647} * (kDotThreads / 32);
    return std::max(m, k) <= kMost ? std::string_view() : "a grid ends at 2147483647 blocks, of four rows each";
}

/// How the blocks of sum_of_rows lie: so many threads, and lanes side by side on a row, as a power of two.
struct SumBlocks {
    int threads, across_bits;
};
/// Long pieces of rows and small blocks, as far as they leave all multiprocessors enough threads; then larger blocks,
/// and at last shorter pieces. A thread has kSumLoads rows at least: with fewer it adds up for as long as it loads
/// (docs/hopper.md).
template <class T>
SumBlocks sum_blocks(const MatmulArgs<T>& x, std::int64_t products) {
    constexpr std::int64_t kEach = SixteenBytes<T>::kCount;
    constexpr std::int64_t kEnough = std::int64_t{132} * 640;  // threads of a large GPU
    constexpr std::int64_t kWanted = 120;                      // blocks: nearly all of its multiprocessors
    constexpr int kShortPiece = 3;                             // 128 bytes
    int most = kMostAcrossBits;
    while (most > 1 && kEach << (most - 1) >= x.k) --most;
    const auto blocks = [&](int bits) { return ceil_div(x.k, kEach << bits) * products; };
    const auto fills = [&](int threads, int bits) { return x.n >= std::int64_t{threads >> bits} * kSumLoads; };
    for (const int threads : {256, 512, kMostSumThreads})
        for (int bits = most; bits >= (threads < kMostSumThreads ? std::min(most, kShortPiece) : 1); --bits)
            if (blocks(bits) * threads >= kEnough && fills(threads, bits)) return {threads, bits};
    if (!fills(256, most)) return {128, most};
    int bits = most;
    while (bits > 1 && blocks(bits) < kWanted && fills(kMostSumThreads, bits - 1)) --bits;
    return {fills(kMostSumThreads, bits) ? kMostSumThreads : 256, bits};
}

template <bool kPlain, class T>
void launch_sums_of_rows(const MatmulArgs<T>& x, const Products& products, cudaStream_t stream) {
    constexpr int kEach = SixteenBytes<T>::kCount;
    const auto [threads, bits] = sum_blocks(x, products.count);
    const dim3 grid(static_cast<unsigned>(ceil_div(x.k, std::int64_t{kEach} << bits)), 1,
                    static_cast<unsigned>(products.count));
    const std::size_t of_warps = static_cast<std::size_t>((threads / 32 * kEach) << bits) * sizeof(SumOf<T>);
    sum_of_rows<kPlain, T><<<grid, static_cast<unsigned>(threads), of_warps, stream>>>(x, products, bits);
}

template <int kVectors, int kLanes, bool kPlain, class T>
void launch_dots_by(const MatmulArgs<T>& x, const Products& products, cudaStream_t stream) {
    const ManyRows<T> of(x);
    const dim3 grid(static_cast<unsigned>(ceil_div(of.row_count, kDotThreads / kLanes)), 1,
                    static_cast<unsigned>(products.count));
    dots_of_rows<kVectors, kLanes, kPlain, T><<<grid, kDotThreads, 0, stream>>>(x, of, products);
}
/// As few lanes a row as have so many loads each, where there are rows enough for warps that are as many.
template <int kVectors, bool kPlain, class T>
void launch_dots(const MatmulArgs<T>& x, const Products& products, cudaStream_t stream) {
    constexpr std::int64_t kRowsOfMany = 16384;  // with a warp each, 124 for each of 132 multiprocessors
    constexpr int kLoadsOfLane = sizeof(T) == 4 ? 2 : 4;
    const std::int64_t loads = ceil_div(x.n, std::int64_t{SixteenBytes<T>::kCount} * kLoadsOfLane);
    const bool many = std::max(x.m, x.k) * products.count >= kRowsOfMany;
    if (!many || loads > 16) return launch_dots_by<kVectors, 32, kPlain>(x, products, stream);
    if constexpr (kVectors == 1) {
        if (loads <= 4) return launch_dots_by<1, 4, kPlain>(x, products, stream);
        if (loads > 8) return launch_dots_by<1, 16, kPlain>(x, products, stream);
    }
    launch_dots_by<kVectors, 8, kPlain>(x, products, stream);
}

template <bool kPlain, class T>
void launch_products_with_vectors(const MatmulArgs<T>& x, const Products& products, cudaStream_t stream) {
    if (reads_rows_of_b(x)) return launch_sums_of_rows<kPlain>(x, products, stream);
    switch (std::min(x.m, x.k)) {
        case 1: return launch_dots<1, kPlain>(x, products, stream);
        case 2: return launch_dots<2, kPlain>(x, products, stream);
        default: return launch_dots<kMostVectors, kPlain>(x, products, stream);
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
