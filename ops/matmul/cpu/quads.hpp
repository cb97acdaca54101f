// Products of bytes on a processor whose instructions multiply four of a row of A by four of a column of B at a time,
// and add them to an int32: B is packed so that four of a column lie in a word, the words of 32 columns in a row.
#pragma once

#include <algorithm>
#include <cstring>

#include "ops/matmul/cpu/panels.hpp"

#if defined(__x86_64__)
#include <emmintrin.h>

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr std::int64_t kQuadBytes = 4;     ///< bytes that an instruction multiplies for one sum
inline constexpr std::int64_t kQuadColumns = 32;  ///< of a panel
inline constexpr std::int64_t kQuadDepth =
    1024;  ///< rows of B in a block: a panel of them fills two thirds of a first cache
inline constexpr std::int64_t kQuadPanelBytes = kQuadDepth * kQuadColumns;

/// Four vectors of 16 bytes, each a row's or a column's.
struct FourRows {
    __m128i row[4];

    static FourRows load(const std::int8_t* from, std::int64_t pitch) {
        const auto at = [&](std::int64_t r) {
            return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + r * pitch));
        };
        return {{at(0), at(1), at(2), at(3)}};
    }
    /// Bytes of a column side by side: the words of columns 0–3, 4–7, 8–11 and 12–15.
    FourRows bytes_by_columns() const {
        const __m128i low01 = _mm_unpacklo_epi8(row[0], row[1]), high01 = _mm_unpackhi_epi8(row[0], row[1]);
        const __m128i low23 = _mm_unpacklo_epi8(row[2], row[3]), high23 = _mm_unpackhi_epi8(row[2], row[3]);
        return {{_mm_unpacklo_epi16(low01, low23), _mm_unpackhi_epi16(low01, low23), _mm_unpacklo_epi16(high01, high23),
                 _mm_unpackhi_epi16(high01, high23)}};
    }
    /// Words of a column side by side.
    FourRows words_by_columns() const {
        const __m128i low01 = _mm_unpacklo_epi32(row[0], row[1]), high01 = _mm_unpackhi_epi32(row[0], row[1]);
        const __m128i low23 = _mm_unpacklo_epi32(row[2], row[3]), high23 = _mm_unpackhi_epi32(row[2], row[3]);
        return {{_mm_unpacklo_epi64(low01, low23), _mm_unpackhi_epi64(low01, low23), _mm_unpacklo_epi64(high01, high23),
                 _mm_unpackhi_epi64(high01, high23)}};
    }
    void store(std::byte* to, std::int64_t pitch, __m128i flip) const {
        for (std::int64_t r = 0; r < 4; ++r)
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to + r * pitch), _mm_xor_si128(row[r], flip));
    }
};

/// Four runs of up to 16 bytes, `pitch` apart; what is not there is 0.
inline FourRows load_some(const std::int8_t* from, std::int64_t pitch, std::int64_t runs, std::int64_t bytes) {
    std::int8_t some[4][16] = {};
    for (std::int64_t r = 0; r < std::min<std::int64_t>(runs, 4); ++r)
        std::memcpy(some[r], from + r * pitch, static_cast<std::size_t>(std::clamp<std::int64_t>(bytes, 0, 16)));
    return FourRows::load(some[0], 16);
}

/// Packs panels of B's columns [col, col + cols) over its rows `deep`, `quads` words deep; every byte has the bits
/// `flip` turned over, those beyond the matrix, which are 0 before, too.
inline void pack_quads(const MatmulArgs<std::int8_t>& x, Depth deep, std::int64_t col, std::int64_t cols,
                       std::int64_t quads, std::uint8_t flip, std::byte* to) {
    constexpr std::int64_t kRun = 16, kQuadRow = kQuadColumns * kQuadBytes;
    const std::int64_t depth = deep.end - deep.begin;
    const __m128i flips = _mm_set1_epi8(static_cast<char>(flip));
    for (; cols > 0; cols -= kQuadColumns, col += kQuadColumns, to += quads * kQuadRow) {
        const std::int64_t inside = std::min(cols, kQuadColumns);
        if (x.b_by_columns) {
            for (std::int64_t c = 0; c < kQuadColumns; c += 4)
                for (std::int64_t i = 0; i < quads * kQuadBytes; i += kRun) {
                    const std::int8_t* const from = x.b + (col + c) * x.b_pitch + deep.begin + i;
                    const bool whole = c + 4 <= inside && i + kRun <= depth;
                    const FourRows words =
                        (whole ? FourRows::load(from, x.b_pitch) : load_some(from, x.b_pitch, inside - c, depth - i))
                            .words_by_columns();
                    const std::int64_t there = std::min<std::int64_t>(4, quads - i / kQuadBytes);
                    for (std::int64_t r = 0; r < there; ++r)
                        _mm_storeu_si128(
                            reinterpret_cast<__m128i*>(to + (i / kQuadBytes + r) * kQuadRow + c * kQuadBytes),
                            _mm_xor_si128(words.row[r], flips));
                }
        } else {
            for (std::int64_t q = 0; q < quads; ++q)
                for (std::int64_t c = 0; c < kQuadColumns; c += kRun) {
                    const std::int8_t* const from = x.b + (deep.begin + q * kQuadBytes) * x.b_pitch + col + c;
                    const bool whole = c + kRun <= inside && (q + 1) * kQuadBytes <= depth;
                    (whole ? FourRows::load(from, x.b_pitch)
                           : load_some(from, x.b_pitch, depth - q * kQuadBytes, inside - c))
                        .bytes_by_columns()
                        .store(to + q * kQuadRow + c * kQuadBytes, kRun, flips);
                }
        }
    }
}

/// Where a tile of up to 32 columns is written: `inside` of them exist. With `onto` it is added to what is there.
struct QuadPlace {
    std::int32_t* c;
    std::int64_t pitch, inside;
    bool onto;
};

/// The rows of A of a tile, side by side. Rows are a cache line further apart than they can be long, so that their
/// words of one column are in different sets of the cache.
template <std::int64_t kRows>
struct QuadRows {
    static constexpr std::int64_t kPitch = kQuadDepth + 64;
    alignas(64) std::int8_t data[kRows * kPitch];
    std::int64_t height;

    /// Columns `deep` of the rows [row, row + height) of A, and zeros up to `quads` words and kRows rows.
    void copy(const MatmulArgs<std::int8_t>& x, std::int64_t row, std::int64_t rows, Depth deep, std::int64_t quads) {
        const std::int64_t depth = deep.end - deep.begin;
        height = rows;
        for (std::int64_t r = 0; r < kRows; ++r) {
            const std::int64_t there = r < rows ? depth : 0;
            if (there > 0)
                std::memcpy(data + r * kPitch, x.a + (row + r) * x.a_pitch + deep.begin,
                            static_cast<std::size_t>(there));
            std::memset(data + r * kPitch + there, 0, static_cast<std::size_t>(quads * kQuadBytes - there));
        }
    }
};

/// Multiplies a block by a kind of instruction, Unit: kRows of a tile; kQuads, of which a panel has a whole number;
/// kFlip, the bits that it wants turned over in B; begin(rows, quads), once for the rows of a tile; multiply(rows,
/// panel, quads, place).
template <class Unit>
void multiply_quads(const MatmulArgs<std::int8_t>& x, const Sums<std::int8_t>& sums, const TileBlock& block,
                    std::byte* packed) {
    const std::int64_t first_col = block.panel_begin * kQuadColumns;
    const std::int64_t cols = std::min(x.k, block.panel_end * kQuadColumns) - first_col;
    const Parts depths(x.n, kQuadDepth), tiles(block.row_end - block.row_begin, Unit::kRows);
    QuadRows<Unit::kRows> rows;
    Unit unit;
    for (std::int64_t part = 0; part < depths.count; ++part) {
        const Depth deep{depths.begin(part), depths.end(part)};
        const std::int64_t quads = ceil_div(deep.end - deep.begin, kQuadBytes * Unit::kQuads) * Unit::kQuads;
        pack_quads(x, deep, first_col, cols, quads, Unit::kFlip, packed);
        for (std::int64_t tile = 0; tile < tiles.count; ++tile) {
            const std::int64_t row = block.row_begin + tiles.begin(tile);
            rows.copy(x, row, block.row_begin + tiles.end(tile) - row, deep, quads);
            unit.begin(rows, quads);
            for (std::int64_t col = 0; col < cols; col += kQuadColumns)
                unit.multiply(rows, packed + col * quads * kQuadBytes, quads,
                              {sums.c + row * sums.pitch + first_col + col, sums.pitch,
                               std::min(cols - col, kQuadColumns), part > 0});
        }
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
#endif
