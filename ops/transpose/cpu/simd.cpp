// Registers turn square blocks, streaming stores write each line once without reading it first, lines that will be read
// are asked for ahead, and every core takes a part of its own. Where output rows are whole cache lines the squares go
// straight to memory; elsewhere they are collected in a panel first, so that long runs can be written.
#include <algorithm>
#include <memory>

#include "ops/transpose/operation.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/transpose/cpu/simd.cpp"
#include <hwy/foreach_target.h>  // reads this file once per instruction set
//
#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Element = TransposeArgs::Element;

// The square that is turned in registers: as many rows as a vector has lanes.
using D = hn::CappedTag<Element, 16>;
using V = hn::Vec<D>;
constexpr std::int64_t kSide = HWY_MIN(HWY_LANES(Element), 16);

constexpr std::int64_t kLine = 64 / sizeof(Element);  // elements of a cache line
constexpr std::int64_t kBand = 32;                    // rows walked side by side: runs of two lines in the output
constexpr std::int64_t kAhead = 8 * kLine;            // how far ahead of the work a row is asked for

/// How a square is written: past the caches, line by line, or as usual.
enum class Stores { streaming, ordinary };

#if HWY_TARGET != HWY_SCALAR
/// 4×4 blocks within the 128-bit parts of four vectors: part b of v[k] becomes column 4·b + k.
HWY_INLINE void turn_parts(D d, V* v) {
    const hn::Repartition<std::int64_t, D> wide;
    const V low01 = hn::InterleaveLower(d, v[0], v[1]), high01 = hn::InterleaveUpper(d, v[0], v[1]);
    const V low23 = hn::InterleaveLower(d, v[2], v[3]), high23 = hn::InterleaveUpper(d, v[2], v[3]);
    const auto pair = [&](V a, V b, V& first, V& second) HWY_ATTR {
        first = hn::BitCast(d, hn::InterleaveLower(wide, hn::BitCast(wide, a), hn::BitCast(wide, b)));
        second = hn::BitCast(d, hn::InterleaveUpper(wide, hn::BitCast(wide, a), hn::BitCast(wide, b)));
    };
    pair(low01, low23, v[0], v[1]);
    pair(high01, high23, v[2], v[3]);
}

template <Stores kStores>
HWY_INLINE void put(V v, Element* to) {
    if constexpr (kStores == Stores::streaming)
        hn::Stream(v, D(), to);
    else
        hn::StoreU(v, D(), to);
}

/// Turns a kSide × kSide square; strides count elements from one row to the next.
template <Stores kStores>
HWY_INLINE void turn_square(const Element* from, std::int64_t from_stride, Element* to, std::int64_t to_stride) {
    const D d;
    V v[kSide];
    for (std::int64_t row = 0; row < kSide; ++row) v[row] = hn::LoadU(d, from + row * from_stride);
    for (std::int64_t group = 0; group < kSide; group += 4) turn_parts(d, v + group);
    // v[4·g + k], part b: column 4·b + k of rows 4·g…4·g+3. What is left is to turn the parts for each k.
    for (std::int64_t k = 0; k < 4; ++k) {
        if constexpr (kSide == 4) {
            put<kStores>(v[k], to + k * to_stride);
        } else if constexpr (kSide == 8) {
            put<kStores>(hn::ConcatLowerLower(d, v[4 + k], v[k]), to + k * to_stride);
            put<kStores>(hn::ConcatUpperUpper(d, v[4 + k], v[k]), to + (4 + k) * to_stride);
        } else {
            const V a = v[k], b = v[4 + k], c = v[8 + k], e = v[12 + k];
            const V ab_even = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a),
                    ab_odd = hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a));
            const V ce_even = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(e), c),
                    ce_odd = hn::OddEvenBlocks(e, hn::SwapAdjacentBlocks(c));
            put<kStores>(hn::ConcatLowerLower(d, ce_even, ab_even), to + k * to_stride);
            put<kStores>(hn::ConcatLowerLower(d, ce_odd, ab_odd), to + (4 + k) * to_stride);
            put<kStores>(hn::ConcatUpperUpper(d, ce_even, ab_even), to + (8 + k) * to_stride);
            put<kStores>(hn::ConcatUpperUpper(d, ce_odd, ab_odd), to + (12 + k) * to_stride);
        }
    }
}
#else
template <Stores kStores>
HWY_INLINE void turn_square(const Element* from, std::int64_t, Element* to, std::int64_t) {
    *to = *from;
}
#endif

// ---- Output rows of whole lines: bands of input rows, each square written where it belongs.

HWY_INLINE void stream_band(const TransposeArgs& a, std::int64_t first_row, std::int64_t last_row) {
    const std::int64_t square_cols = a.cols / kSide * kSide;
    for (std::int64_t col = 0; col < square_cols; col += kSide) {
        if (col % kLine == 0 && col + kAhead < a.cols)
            for (std::int64_t row = first_row; row < last_row; ++row)
                hwy::Prefetch(a.in + row * a.in_pitch + col + kAhead);
        for (std::int64_t row = first_row; row < last_row; row += kSide)
            turn_square<Stores::streaming>(a.in + row * a.in_pitch + col, a.in_pitch, a.out + col * a.out_pitch + row,
                                           a.out_pitch);
    }
    for (std::int64_t row = first_row; row < last_row; ++row)
        for (std::int64_t col = square_cols; col < a.cols; ++col)
            a.out[col * a.out_pitch + row] = a.in[row * a.in_pitch + col];
}

/// Needs output rows of whole cache lines: rows % kLine == 0, and every one begins on a line.
void stream_bands(const TransposeArgs& a, int threads) {
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (std::int64_t row = 0; row < a.rows; row += kBand) stream_band(a, row, std::min(row + kBand, a.rows));
        hwy::FlushStream();
    }
}

// ---- Any shape: a window of the matrix is turned into a panel in the cache, then written out in runs.

constexpr std::int64_t kPanel = 128;           // rows and columns of the input: 64 KiB
constexpr std::int64_t kRun = kPanel + kLine;  // from one run to the next: not all of them in one set of the cache

struct Panel {
    Element at[kPanel * kRun];  // transposed: a run for each column of the window
};

struct Window {
    std::int64_t row, col, rows, cols;
};

HWY_INLINE void gather(const TransposeArgs& a, const Window& w, Panel& panel) {
    const std::int64_t square_rows = w.rows / kSide * kSide, square_cols = w.cols / kSide * kSide;
    const Element* const from = a.in + w.row * a.in_pitch + w.col;
    for (std::int64_t row = 0; row < square_rows; row += kSide)
        for (std::int64_t col = 0; col < square_cols; col += kSide)
            turn_square<Stores::ordinary>(from + row * a.in_pitch + col, a.in_pitch, panel.at + col * kRun + row, kRun);
    for (std::int64_t row = 0; row < w.rows; ++row)
        for (std::int64_t col = row < square_rows ? square_cols : 0; col < w.cols; ++col)
            panel.at[col * kRun + row] = from[row * a.in_pitch + col];
}

/// Whole lines by streaming stores, the ragged ends by ordinary ones.
HWY_INLINE void stream_run(const Element* from, Element* to, std::int64_t count) {
    const std::int64_t past_line =
        static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) / sizeof(Element) % kLine);
    const std::int64_t head = std::min((kLine - past_line) % kLine, count),
                       tail = head + (count - head) / kLine * kLine;
    std::copy_n(from, head, to);
    for (std::int64_t i = head; i < tail; i += kSide) hn::Stream(hn::LoadU(D(), from + i), D(), to + i);
    std::copy_n(from + tail, count - tail, to + tail);
}

void transpose_window(const TransposeArgs& a, const Window& w, Panel& panel, Stores stores) {
    gather(a, w, panel);
    for (std::int64_t col = 0; col < w.cols; ++col) {
        const Element* const from = panel.at + col * kRun;
        Element* const to = a.out + (w.col + col) * a.out_pitch + w.row;
        if (stores == Stores::streaming)
            stream_run(from, to, w.rows);
        else
            std::copy_n(from, w.rows, to);
    }
}

void turn_panels(const TransposeArgs& a, int threads, Stores stores) {
#pragma omp parallel num_threads(threads)
    {
        const std::unique_ptr<Panel> panel(new Panel);  // not zeroed: it is written before it is read
#pragma omp for schedule(static) collapse(2)
        for (std::int64_t col = 0; col < a.cols; col += kPanel)
            for (std::int64_t row = 0; row < a.rows; row += kPanel)
                transpose_window(a, {row, col, std::min(kPanel, a.rows - row), std::min(kPanel, a.cols - col)}, *panel,
                                 stores);
        hwy::FlushStream();
    }
}

void turn_panels_streaming(const TransposeArgs& a, int threads) { turn_panels(a, threads, Stores::streaming); }
void turn_panels_cached(const TransposeArgs& a, int threads) { turn_panels(a, threads, Stores::ordinary); }

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace {
HWY_EXPORT(stream_bands);
HWY_EXPORT(turn_panels_streaming);
HWY_EXPORT(turn_panels_cached);

/// From here on (1 MiB, half of a second-level cache) streaming stores pay: nobody finds the output in a near cache.
constexpr std::int64_t kStreamedElements = 1 << 18;

bool output_rows_are_lines(const TransposeArgs& a) {
    constexpr std::size_t kLineBytes = 64;
    return reinterpret_cast<std::uintptr_t>(a.out) % kLineBytes == 0 &&
           static_cast<std::size_t>(a.rows) * sizeof(TransposeArgs::Element) % kLineBytes == 0 &&
           static_cast<std::size_t>(a.out_pitch) * sizeof(TransposeArgs::Element) % kLineBytes == 0;
}

void launch(const TransposeArgs& a, Team team) {
    if (a.empty()) return;
    if (a.rows * a.cols < kStreamedElements)
        HWY_DYNAMIC_DISPATCH(turn_panels_cached)(a, team.threads);
    else if (output_rows_are_lines(a))
        HWY_DYNAMIC_DISPATCH(stream_bands)(a, team.threads);
    else
        HWY_DYNAMIC_DISPATCH(turn_panels_streaming)(a, team.threads);
}

}  // namespace

LANEWORK_RUNG(transpose, simd,
              {
                  .climbs_from = "blocked",
                  .lesson = "Turn squares in registers, write whole lines past the caches, and let every core do it.",
                  .launch = launch,
              });
#endif
