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

/// A warp for each row: its lanes have 16 bytes of it side by side, and add their sums up at the end. Products lie
/// along z.
template <int kVectors, bool kPlain, class T>
__global__ void __launch_bounds__(kDotThreads)
    dots_of_rows(KernelArgs<kPlain, T> x, ManyRows<T> of, const Products products) {
    constexpr int kEach = SixteenBytes<T>::kCount, kWide = 32 * kEach;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const std::int64_t row = std::int64_t{blockIdx.x} * (kDotThreads / 32) + threadIdx.x / 32;
    if (row >= of.row_count) return;
    const std::int64_t product = blockIdx.z;
    const T* const rows = of.rows + product * (of.swapped ? products.to_next_b : products.to_next_a);
    const T* const vectors = of.columns + product * (of.swapped ? products.to_next_a : products.to_next_b);
    x.c += product * products.to_next_c;
    const T* from = rows + row * of.row_pitch + lane * kEach;
    const T* vector = vectors + lane * kEach;
    SumOf<T> sums[kVectors]{};
    std::int64_t left = x.n - lane * kEach;
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
        for (int other = 16; other > 0; other /= 2) sums[v] += __shfl_xor_sync(~0U, sums[v], other);
        if (lane == v && v < of.column_count) write_sum<kPlain>(x, of.swapped ? v : row, of.swapped ? row : v, sums[v]);
    }
}

// --- rows that lie along C: B's

inline constexpr int kSumThreads = 1024;
inline constexpr int kSumLoads = 8;
inline constexpr int kMostAcross = 8;  // lanes side by side on a row: 128 bytes

/// A block for 2^across_bits times 16 bytes of B's rows, which all of its lanes read one below the other, for one row
/// of A; at the end they add their sums up, lanes first. Products lie along z.
template <bool kPlain, class T>
__global__ void __launch_bounds__(kSumThreads)
    sum_of_rows(KernelArgs<kPlain, T> x, const Products products, int across_bits) {
    constexpr int kEach = SixteenBytes<T>::kCount, kWarps = kSumThreads / 32;
    __shared__ SumOf<T> of_warp[kWarps][kMostAcross * kEach];
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int across = 1 << across_bits, place = lane & (across - 1);
    const std::int64_t first_col = std::int64_t{blockIdx.x} * across * kEach, col = first_col + place * kEach;
    const std::int64_t product = blockIdx.z, step = kSumThreads >> across_bits;
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
        if (lane < across) of_warp[warp][place * kEach + i] = sums[i];
    }
    __syncthreads();
    const int c = static_cast<int>(threadIdx.x);
    if (c >= across * kEach || first_col + c >= x.k) return;
    SumOf<T> sum{};
#pragma unroll 4
    for (int w = 0; w < kWarps; ++w) sum += of_warp[w][c];
    write_sum<kPlain>(x, 0, first_col + c, sum);
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

/// Lanes side by side on a row of B, as a power of two: 128 bytes, or less where that leaves multiprocessors idle.
template <class T>
int across_bits_of(const MatmulArgs<T>& x, std::int64_t products) {
    constexpr std::int64_t kWanted = 120;  // blocks: nearly all multiprocessors of a large GPU
    int bits = 3;
    while (bits > 1 && ceil_div(x.k, std::int64_t{SixteenBytes<T>::kCount} << bits) * products < kWanted) --bits;
    return bits;
}

template <bool kPlain, class T>
void launch_products_with_vectors(const MatmulArgs<T>& x, const Products& products, cudaStream_t stream) {
    const auto along_z = static_cast<unsigned>(products.count);
    if (reads_rows_of_b(x)) {
        const int bits = across_bits_of(x, products.count);
        const std::int64_t blocks = ceil_div(x.k, std::int64_t{SixteenBytes<T>::kCount} << bits);
        sum_of_rows<kPlain, T>
            <<<dim3(static_cast<unsigned>(blocks), 1, along_z), kSumThreads, 0, stream>>>(x, products, bits);
        return;
    }
    const ManyRows<T> of(x);
    const dim3 grid(static_cast<unsigned>(ceil_div(of.row_count, kDotThreads / 32)), 1, along_z);
    if (of.column_count == 1)
        dots_of_rows<1, kPlain, T><<<grid, kDotThreads, 0, stream>>>(x, of, products);
    else if (of.column_count == 2)
        dots_of_rows<2, kPlain, T><<<grid, kDotThreads, 0, stream>>>(x, of, products);
    else
        dots_of_rows<kMostVectors, kPlain, T><<<grid, kDotThreads, 0, stream>>>(x, of, products);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
