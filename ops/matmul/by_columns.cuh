// Puts a matrix in columns: wgmma reads operands of 8 and 32 bits along their sums alone, plain units want both along
// C.
#pragma once

#include "ops/matmul/halves.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Elements from one column to the next: whole 16 bytes, as TMA wants them.
template <class T>
constexpr std::int64_t padded_column(std::int64_t n) {
    constexpr std::int64_t kUnit = 16 / static_cast<std::int64_t>(sizeof(T));
    return ceil_div(n, kUnit) * kUnit;
}

inline constexpr int kColumnThreads = 256, kColumnTile = 32;  ///< a tile is 32 words wide, along either side

/// The word at (row, first column `col`) of a matrix of bytes or words, zero outside: 4 bytes or one word.
template <class T>
__device__ std::uint32_t word_at(const T* matrix, std::int64_t rows, std::int64_t cols, std::int64_t pitch,
                                 std::int64_t row, std::int64_t col, bool whole_words) {
    constexpr int kElements = 4 / static_cast<int>(sizeof(T));
    if (row >= rows || col >= cols) return 0;
    const T* const from = matrix + row * pitch + col;
    if (sizeof(T) == 4 || (whole_words && col + kElements <= cols))
        return *reinterpret_cast<const std::uint32_t*>(from);
    std::uint32_t word = 0;
    for (int i = 0; i < kElements && col + i < cols; ++i)
        word |= std::uint32_t{*reinterpret_cast<const std::uint8_t*>(from + i)} << 8 * i;
    return word;
}

/// columns[c][r] = matrix[r][c], a tile of 32 words × 32 words each block: elements of 4 bytes are words, bytes change
/// places within 4 × 4 of them. What lies between a column's end and the next one is zero.
template <class T>
__global__ void __launch_bounds__(kColumnThreads)
    columns_of(const T* matrix, std::int64_t rows, std::int64_t cols, std::int64_t pitch, bool whole_words,
               std::uint32_t* columns, std::int64_t words_of_column) {
    static_assert(sizeof(T) == 1 || sizeof(T) == 4);
    constexpr int kElements = 4 / static_cast<int>(sizeof(T));  // of a word
    __shared__ std::uint32_t tile[kColumnTile * kElements][kColumnTile + 1];
    const int x = static_cast<int>(threadIdx.x) % 32, y = static_cast<int>(threadIdx.x) / 32;
    const std::int64_t across = ceil_div(cols, kColumnTile * kElements);
    const std::int64_t first_col = blockIdx.x % across * kColumnTile * kElements;
    const std::int64_t first_word = blockIdx.x / across * kColumnTile;
    constexpr int kWarps = kColumnThreads / 32;
    for (int q = y; q < kColumnTile; q += kWarps) {  // this word of every column
        std::uint32_t in[kElements];
#pragma unroll
        for (int i = 0; i < kElements; ++i)
            in[i] = word_at(matrix, rows, cols, pitch, (first_word + q) * kElements + i, first_col + x * kElements,
                            whole_words);
        if constexpr (kElements == 1) {
            tile[x][q] = in[0];
        } else {
            const std::uint32_t low = __byte_perm(in[0], in[1], 0x5140), high = __byte_perm(in[0], in[1], 0x7362);
            const std::uint32_t low2 = __byte_perm(in[2], in[3], 0x5140), high2 = __byte_perm(in[2], in[3], 0x7362);
            const int to = q ^ x / 8;  // so that 32 lanes, whose rows are 4 apart, meet 32 banks
            tile[x * 4][to] = __byte_perm(low, low2, 0x5410);
            tile[x * 4 + 1][to] = __byte_perm(low, low2, 0x7632);
            tile[x * 4 + 2][to] = __byte_perm(high, high2, 0x5410);
            tile[x * 4 + 3][to] = __byte_perm(high, high2, 0x7632);
        }
    }
    __syncthreads();
    const std::int64_t word = first_word + x;
    if (word >= words_of_column) return;
    for (int c = y; c < kColumnTile * kElements; c += kWarps) {
        const std::int64_t col = first_col + c;
        if (col < cols) columns[col * words_of_column + word] = tile[c][kElements == 1 ? x : x ^ c / 32];
    }
}

/// A matrix, its rows `pitch` elements apart, by columns with `column_pitch` elements from one to the next.
template <class T>
void put_in_columns(const T* matrix, std::int64_t rows, std::int64_t cols, std::int64_t pitch, T* columns,
                    std::int64_t column_pitch, cudaStream_t stream) {
    constexpr std::int64_t kElements = 4 / static_cast<std::int64_t>(sizeof(T));
    const std::int64_t words = column_pitch / kElements;
    const bool whole_words = reinterpret_cast<std::uintptr_t>(matrix) % 4 == 0 && pitch % kElements == 0;
    const std::int64_t tiles = ceil_div(cols, kColumnTile * kElements) * ceil_div(words, kColumnTile);
    columns_of<<<static_cast<unsigned>(tiles), kColumnThreads, 0, stream>>>(
        matrix, rows, cols, pitch, whole_words, reinterpret_cast<std::uint32_t*>(columns), words);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
