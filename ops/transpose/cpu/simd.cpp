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

/// How elements of type T are moved.
template <class T>
struct Lanes {
    // The square that is turned in registers: as many rows as a vector has lanes.
    using D = hn::CappedTag<T, 16>;
    using V = hn::Vec<D>;
    static constexpr std::int64_t kSide = HWY_MIN(HWY_LANES(T), 16);
    static constexpr std::int64_t kPart =
        HWY_MIN(kSide, 16 / static_cast<std::int64_t>(sizeof(T)));  // lanes of 16 bytes

    static constexpr std::int64_t kLine = 64 / sizeof(T);  // elements of a cache line
    static constexpr std::int64_t kBand = 2 * kLine;       // rows walked side by side: runs of two lines in the output
    static constexpr std::int64_t kAhead = 8 * kLine;      // how far ahead of the work a row is asked for
    // Rows and columns of a window of the input, 64 KiB of 4-byte elements and of bytes, and 32 of others.
    static constexpr std::int64_t kPanel = sizeof(T) == 1 ? 256 : sizeof(T) == 8 ? 64 : 128;
    static constexpr std::int64_t kRun = kPanel + kLine;  // from one run to the next: not all in one set of the cache
};

/// How a square is written: past the caches, line by line, or as usual.
enum class Stores { streaming, ordinary };

#if HWY_TARGET != HWY_SCALAR
/// Squares within the 128-bit parts of as many vectors as a part has lanes: part b of v[k] becomes column kPart·b + k.
/// Each round puts lanes of the first half of the vectors beside those of the second.
template <class T>
HWY_INLINE void turn_parts(typename Lanes<T>::V* v) {
    constexpr std::int64_t kPart = Lanes<T>::kPart;
    const typename Lanes<T>::D d;
    for (std::int64_t round = 1; round < kPart; round *= 2) {
        typename Lanes<T>::V next[kPart];
        for (std::int64_t k = 0; k < kPart / 2; ++k) {
            next[2 * k] = hn::InterleaveLower(d, v[k], v[k + kPart / 2]);
            next[2 * k + 1] = hn::InterleaveUpper(d, v[k], v[k + kPart / 2]);
        }
        for (std::int64_t k = 0; k < kPart; ++k) v[k] = next[k];
    }
}

template <Stores kStores, class T>
HWY_INLINE void put(typename Lanes<T>::V v, T* to) {
    if constexpr (kStores == Stores::streaming)
        hn::Stream(v, typename Lanes<T>::D(), to);
    else
        hn::StoreU(v, typename Lanes<T>::D(), to);
}

/// Turns a kSide × kSide square; strides count elements from one row to the next.
template <Stores kStores, class T>
HWY_INLINE void turn_square(const T* from, std::int64_t from_stride, T* to, std::int64_t to_stride) {
    constexpr std::int64_t kSide = Lanes<T>::kSide, kPart = Lanes<T>::kPart;
    using V = typename Lanes<T>::V;
    const typename Lanes<T>::D d;
    V v[kSide];
    for (std::int64_t row = 0; row < kSide; ++row) v[row] = hn::LoadU(d, from + row * from_stride);
    for (std::int64_t group = 0; group < kSide; group += kPart) turn_parts<T>(v + group);
    // v[kPart·g + k], part b: column kPart·b + k of the rows of group g. What is left is to turn the parts for each k.
    for (std::int64_t k = 0; k < kPart; ++k) {
        if constexpr (kSide == kPart) {
            put<kStores>(v[k], to + k * to_stride);
        } else if constexpr (kSide == 2 * kPart) {
            put<kStores>(hn::ConcatLowerLower(d, v[kPart + k], v[k]), to + k * to_stride);
            put<kStores>(hn::ConcatUpperUpper(d, v[kPart + k], v[k]), to + (kPart + k) * to_stride);
        } else {
            const V a = v[k], b = v[kPart + k], c = v[2 * kPart + k], e = v[3 * kPart + k];
            const V ab_even = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a),
                    ab_odd = hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a));
            const V ce_even = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(e), c),
                    ce_odd = hn::OddEvenBlocks(e, hn::SwapAdjacentBlocks(c));
            put<kStores>(hn::ConcatLowerLower(d, ce_even, ab_even), to + k * to_stride);
            put<kStores>(hn::ConcatLowerLower(d, ce_odd, ab_odd), to + (kPart + k) * to_stride);
            put<kStores>(hn::ConcatUpperUpper(d, ce_even, ab_even), to + (2 * kPart + k) * to_stride);
            put<kStores>(hn::ConcatUpperUpper(d, ce_odd, ab_odd), to + (3 * kPart + k) * to_stride);
        }
    }
}
#else
template <Stores kStores, class T>
HWY_INLINE void turn_square(const T* from, std::int64_t, T* to, std::int64_t) {
    *to = *from;
}
#endif

// ---- Output rows of whole lines: bands of input rows, each square written where it belongs.

template <class T>
HWY_INLINE void stream_band(const TransposeArgsOf<T>& a, std::int64_t first_row, std::int64_t last_row) {
    using L = Lanes<T>;
    const std::int64_t square_cols = a.cols / L::kSide * L::kSide;
    for (std::int64_t col = 0; col < square_cols; col += L::kSide) {
        if (col % L::kLine == 0 && col + L::kAhead < a.cols)
            for (std::int64_t row = first_row; row < last_row; ++row)
                hwy::Prefetch(a.in + row * a.in_pitch + col + L::kAhead);
        for (std::int64_t row = first_row; row < last_row; row += L::kSide)
            turn_square<Stores::streaming>(a.in + row * a.in_pitch + col, a.in_pitch, a.out + col * a.out_pitch + row,
                                           a.out_pitch);
    }
    for (std::int64_t row = first_row; row < last_row; ++row)
        for (std::int64_t col = square_cols; col < a.cols; ++col)
            a.out[col * a.out_pitch + row] = a.in[row * a.in_pitch + col];
}

/// Needs output rows of whole cache lines: rows % kLine == 0, and every one begins on a line.
template <class T>
void stream_bands(const TransposeArgsOf<T>& a, int threads) {
    constexpr std::int64_t kBand = Lanes<T>::kBand;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (std::int64_t row = 0; row < a.rows; row += kBand) stream_band(a, row, std::min(row + kBand, a.rows));
        hwy::FlushStream();
    }
}

// ---- Any shape: a window of the matrix is turned into a panel in the cache, then written out in runs.

template <class T>
struct Panel {
    T at[Lanes<T>::kPanel * Lanes<T>::kRun];  // transposed: a run for each column of the window
};

struct Window {
    std::int64_t row, col, rows, cols;
};

template <class T>
HWY_INLINE void gather(const TransposeArgsOf<T>& a, const Window& w, Panel<T>& panel) {
    constexpr std::int64_t kSide = Lanes<T>::kSide, kRun = Lanes<T>::kRun;
    const std::int64_t square_rows = w.rows / kSide * kSide, square_cols = w.cols / kSide * kSide;
    const T* const from = a.in + w.row * a.in_pitch + w.col;
    for (std::int64_t row = 0; row < square_rows; row += kSide)
        for (std::int64_t col = 0; col < square_cols; col += kSide)
            turn_square<Stores::ordinary>(from + row * a.in_pitch + col, a.in_pitch, panel.at + col * kRun + row, kRun);
    for (std::int64_t row = 0; row < w.rows; ++row)
        for (std::int64_t col = row < square_rows ? square_cols : 0; col < w.cols; ++col)
            panel.at[col * kRun + row] = from[row * a.in_pitch + col];
}

/// Whole lines by streaming stores, the ragged ends by ordinary ones.
template <class T>
HWY_INLINE void stream_run(const T* from, T* to, std::int64_t count) {
    constexpr std::int64_t kLine = Lanes<T>::kLine;
    const typename Lanes<T>::D d;
    const std::int64_t past_line = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) / sizeof(T) % kLine);
    const std::int64_t head = std::min((kLine - past_line) % kLine, count),
                       tail = head + (count - head) / kLine * kLine;
    std::copy_n(from, head, to);
    for (std::int64_t i = head; i < tail; i += Lanes<T>::kSide) hn::Stream(hn::LoadU(d, from + i), d, to + i);
    std::copy_n(from + tail, count - tail, to + tail);
}

template <class T>
void transpose_window(const TransposeArgsOf<T>& a, const Window& w, Panel<T>& panel, Stores stores) {
    gather(a, w, panel);
    for (std::int64_t col = 0; col < w.cols; ++col) {
        const T* const from = panel.at + col * Lanes<T>::kRun;
        T* const to = a.out + (w.col + col) * a.out_pitch + w.row;
        if (stores == Stores::streaming)
            stream_run(from, to, w.rows);
        else
            std::copy_n(from, w.rows, to);
    }
}

template <class T>
void turn_panels(const TransposeArgsOf<T>& a, int threads, Stores stores) {
    constexpr std::int64_t kPanel = Lanes<T>::kPanel;
#pragma omp parallel num_threads(threads)
    {
        const std::unique_ptr<Panel<T>> panel(new Panel<T>);  // not zeroed: it is written before it is read
#pragma omp for schedule(static) collapse(2)
        for (std::int64_t col = 0; col < a.cols; col += kPanel)
            for (std::int64_t row = 0; row < a.rows; row += kPanel)
                transpose_window(a, {row, col, std::min(kPanel, a.rows - row), std::min(kPanel, a.cols - col)}, *panel,
                                 stores);
        hwy::FlushStream();
    }
}

/// From here on (1 MiB, half of a second-level cache) streaming stores pay: nobody finds the output in a near cache.
constexpr std::int64_t kStreamedBytes = 1 << 20;

template <class T>
bool output_rows_are_lines(const TransposeArgsOf<T>& a) {
    constexpr std::int64_t kLine = Lanes<T>::kLine;
    return reinterpret_cast<std::uintptr_t>(a.out) % 64 == 0 && a.rows % kLine == 0 && a.out_pitch % kLine == 0;
}

template <class T>
void turn(const TransposeArgsOf<T>& a, int threads) {
    if (a.rows * a.cols * static_cast<std::int64_t>(sizeof(T)) < kStreamedBytes)
        turn_panels(a, threads, Stores::ordinary);
    else if (output_rows_are_lines(a))
        stream_bands(a, threads);
    else
        turn_panels(a, threads, Stores::streaming);
}

// What is exported to be dispatched is no template.
void turn_bytes(const TransposeArgsOf<std::uint8_t>& a, int threads) { turn(a, threads); }
void turn_halves(const TransposeArgsOf<std::uint16_t>& a, int threads) { turn(a, threads); }
void turn_words(const TransposeArgs& a, int threads) { turn(a, threads); }
void turn_doubles(const TransposeArgsOf<std::uint64_t>& a, int threads) { turn(a, threads); }

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace {
HWY_EXPORT(turn_bytes);
HWY_EXPORT(turn_halves);
HWY_EXPORT(turn_words);
HWY_EXPORT(turn_doubles);

template <class T>
void launch(const TransposeArgsOf<T>& a, Team team) {
    if (a.empty()) return;
    if constexpr (sizeof(T) == 1)
        HWY_DYNAMIC_DISPATCH(turn_bytes)(a, team.threads);
    else if constexpr (sizeof(T) == 2)
        HWY_DYNAMIC_DISPATCH(turn_halves)(a, team.threads);
    else if constexpr (sizeof(T) == 4)
        HWY_DYNAMIC_DISPATCH(turn_words)(a, team.threads);
    else
        HWY_DYNAMIC_DISPATCH(turn_doubles)(a, team.threads);
}

}  // namespace

LANEWORK_RUNG(transpose, simd,
              {
                  .climbs_from = "blocked",
                  .lesson = "Turn squares in registers, write whole lines past the caches, and let every core do it.",
                  .launch = {launch<std::int32_t>, launch<std::uint8_t>, launch<std::uint16_t>, launch<std::uint64_t>},
              });
#endif
