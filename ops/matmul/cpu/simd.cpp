// A tile of C lives in vector registers. Its rows of A are copied side by side and stay in the first cache; B is copied
// into panels as wide as the tile, which stream past from the second. Blocks of tiles are shared out among the team.
// Narrow elements become floats or int32 as they are copied, and a panel is filled from B's columns as well.
#include <algorithm>
#include <array>
#include <utility>

#include "ops/matmul/cpu/panels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/matmul/cpu/simd.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "src/cpu/first_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lanework::matmul_simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::int64_t kWidestPanel = 32;  ///< columns
inline constexpr std::int64_t kDeepestBlock =
    256;  ///< rows of B: a panel of them and a tile's rows of A fill a first cache

// A tile is kRows × 2 vectors. Of AVX-512's 32 registers it takes 28, and 3 for operands; of the others' 16, 12 and 3.
#if HWY_TARGET <= HWY_AVX3
inline constexpr int kRows = 14;
#else
inline constexpr int kRows = 6;
#endif

template <class T>
using Tag = hn::CappedTag<T, kWidestPanel / 2>;

template <class T>
std::int64_t panel_width() {
    return 2 * static_cast<std::int64_t>(hn::Lanes(Tag<T>()));
}

/// Elements between rows of A that lie side by side: a cache line more than there can be, so that their elements of
/// one column are in different sets of the cache.
template <class T>
inline constexpr std::int64_t kRowPitch = kDeepestBlock + static_cast<std::int64_t>(64 / sizeof(T));

template <class V>
HWY_INLINE V vector_multiply_add(V a, V b, V sum) {
    if constexpr (std::is_integral_v<hn::TFromV<V>>)
        return hn::Add(hn::Mul(a, b), sum);
    else
        return hn::MulAdd(a, b, sum);
}

using lanework::HWY_NAMESPACE::load_first;
using lanework::HWY_NAMESPACE::store_first;

/// Where a tile is written: rows `pitch` apart; columns from `inside` on do not exist. With `onto` it is added.
template <class T>
struct TilePlace {
    T* c;
    std::int64_t pitch, inside;
    bool onto;
    const std::byte* next_row;  ///< of A, for the tile below
};

/// The columns of B that a tile takes: packed, or where they are.
template <class T>
struct Panel {
    const T* data;
    std::int64_t pitch;  ///< elements between rows
};

/// kHeight rows of A × a panel; of a panel of which no more than half exists, kVectors = 1 computes that half.
template <class T, int kHeight, int kVectors>
void multiply_tile(const T* rows, const Panel<T>& b_panel, std::int64_t depth, const TilePlace<T>& place) {
    constexpr std::int64_t kAhead = 16;  // rows of the panel that are on their way from the second cache
    constexpr std::int64_t kStep = 16;
    const Tag<T> d;
    const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const T* panel = b_panel.data;
    hn::Vec<Tag<T>> sums[kHeight][kVectors];
#pragma GCC unroll 16
    for (int r = 0; r < kHeight; ++r) {
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::Zero(d);
    }
    const auto add_products = [&](std::int64_t from, std::int64_t to) HWY_ATTR {
        for (std::int64_t i = from; i < to; ++i, panel += b_panel.pitch) {
            hn::Vec<Tag<T>> b[kVectors];
#pragma GCC unroll 2
            for (int v = 0; v < kVectors; ++v) {
                b[v] = hn::LoadU(d, panel + v * lanes);
                hwy::Prefetch(panel + kAhead * b_panel.pitch + v * lanes);
            }
#pragma GCC unroll 16
            for (int r = 0; r < kHeight; ++r) {
                const auto a = hn::Set(d, rows[r * kRowPitch<T> + i]);
#pragma GCC unroll 2
                for (int v = 0; v < kVectors; ++v) sums[r][v] = vector_multiply_add(a, b[v], sums[r][v]);
            }
        }
    };
    // What comes from further away than the second cache is asked for little by little: it would hold up the panel.
    std::int64_t i = 0;
    const T* c_row = place.c;
    for (; i + kStep <= depth; i += kStep, c_row += place.pitch) {
        __builtin_prefetch(c_row, 0, 3);
        __builtin_prefetch(c_row + lanes, 0, 3);
        __builtin_prefetch(place.next_row + i * static_cast<std::int64_t>(sizeof(T)), 0, 2);
        add_products(i, i + kStep);
    }
    add_products(i, depth);
    const auto for_each_vector = [&](auto put) HWY_ATTR {
#pragma GCC unroll 16
        for (int r = 0; r < kHeight; ++r)
#pragma GCC unroll 2
            for (int v = 0; v < kVectors; ++v) put(sums[r][v], place.c + r * place.pitch + v * lanes, v * lanes);
    };
    using V = hn::Vec<Tag<T>>;
    if (place.inside < kVectors * lanes)
        for_each_vector([&](V sum, T* c, std::int64_t first) HWY_ATTR {
            const std::int64_t count = std::min(place.inside - first, lanes);
            if (count > 0) store_first(d, place.onto ? hn::Add(sum, load_first(d, c, count)) : sum, c, count);
        });
    else if (place.onto)
        for_each_vector([&](V sum, T* c, std::int64_t) HWY_ATTR { hn::StoreU(hn::Add(sum, hn::LoadU(d, c)), d, c); });
    else
        for_each_vector([&](V sum, T* c, std::int64_t) HWY_ATTR { hn::StoreU(sum, d, c); });
}

template <class T>
using MultiplyTile = void (*)(const T* rows, const Panel<T>& panel, std::int64_t depth, const TilePlace<T>& place);

/// One for each height from 1 on.
template <class T, int kVectors, int... kBelow>
constexpr std::array<MultiplyTile<T>, sizeof...(kBelow)> tiles_of_heights(std::integer_sequence<int, kBelow...>) {
    return {multiply_tile<T, kBelow + 1, kVectors>...};
}

/// The same as std::copy_n, which calls a function for each of these short rows; narrow elements are widened.
template <class T>
HWY_INLINE void copy_row(const T* from, std::int64_t count, SumOf<T>* to) {
    if constexpr (std::is_same_v<T, SumOf<T>>) {
        const Tag<T> d;
        const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(d));
        std::int64_t i = 0;
        for (; i + lanes <= count; i += lanes) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
        if (i < count) hn::StoreU(load_first(d, from + i, count - i), d, to + i);
    } else {
        for (std::int64_t i = 0; i < count; ++i) to[i] = widened(from[i]);
    }
}

template <class T>
HWY_INLINE void pack_row(const T* row, std::int64_t count, std::int64_t depth, T* to) {
    const Tag<T> d;
    const std::int64_t width = panel_width<T>(), lanes = width / 2;
    for (; count > 0; count -= width, row += width, to += depth * width)
        for (std::int64_t v = 0; v < width; v += lanes) {
            if (count - v >= lanes)
                hn::Store(hn::LoadU(d, row + v), d, to + v);
            else if (count > v)
                hn::Store(load_first(d, row + v, count - v), d, to + v);
            else
                hn::Store(hn::Zero(d), d, to + v);
        }
}

/// Panels of `cols` columns of B from `col` on, over its rows `deep`.
template <class T>
void pack(const MatmulArgs<T>& x, Depth deep, std::int64_t col, std::int64_t cols, SumOf<T>* to) {
    const std::int64_t width = panel_width<SumOf<T>>(), depth = deep.end - deep.begin;
    if constexpr (std::is_same_v<T, SumOf<T>>) {
        if (!x.b_by_columns) {
            for (std::int64_t i = 0; i < depth && cols > 0; ++i)
                pack_row(x.b + (deep.begin + i) * x.b_pitch + col, cols, depth, to + i * width);
            return;
        }
    }
    for (; cols > 0; cols -= width, col += width, to += depth * width) {
        const std::int64_t inside = std::min(cols, width);
        if (inside < width) std::fill_n(to, depth * width, SumOf<T>{});
        if (x.b_by_columns)
            for (std::int64_t v = 0; v < inside; ++v) {
                const T* const column = x.b + (col + v) * x.b_pitch + deep.begin;
                for (std::int64_t i = 0; i < depth; ++i) to[i * width + v] = widened(column[i]);
            }
        else
            for (std::int64_t i = 0; i < depth; ++i)
                copy_row(x.b + (deep.begin + i) * x.b_pitch + col, inside, to + i * width);
    }
}

/// The panels of a block: the first ones where they are in B, the others packed.
template <class T>
struct PanelsOfB {
    const T* b;
    std::int64_t pitch, in_place;
    const T* packed;
    std::int64_t depth;

    Panel<T> at(std::int64_t panel) const {
        const std::int64_t width = panel_width<T>();
        if (panel < in_place) return {b + panel * width, pitch};
        return {packed + (panel - in_place) * depth * width, width};
    }
};

/// The rows of a tile × every panel of the block.
template <class T>
void multiply_row_of_tiles(const MatmulArgs<T>& x, const Sums<T>& sums, const TileBlock& block, Depth deep,
                           std::int64_t row, std::int64_t height, const PanelsOfB<SumOf<T>>& b) {
    using Sum = SumOf<T>;
    static constexpr auto kHalf = tiles_of_heights<Sum, 1>(std::make_integer_sequence<int, kRows>());
    static constexpr auto kFull = tiles_of_heights<Sum, 2>(std::make_integer_sequence<int, kRows>());
    const std::int64_t width = panel_width<Sum>(), depth = deep.end - deep.begin;
    alignas(64) Sum rows[kRows * kRowPitch<Sum>];
    for (std::int64_t r = 0; r < height; ++r)
        copy_row(x.a + (row + r) * x.a_pitch + deep.begin, depth, rows + r * kRowPitch<Sum>);
    std::int64_t fetched = row + height - 1;
    for (std::int64_t p = block.panel_begin; p < block.panel_end; ++p) {
        fetched = std::min(fetched + 1, block.row_end - 1);
        const std::int64_t inside = std::min(width, x.k - p * width);
        const auto& kernels = 2 * inside <= width ? kHalf : kFull;
        const auto* const next_row = reinterpret_cast<const std::byte*>(x.a + fetched * x.a_pitch + deep.begin);
        kernels[static_cast<std::size_t>(height - 1)](
            rows, b.at(p - block.panel_begin), depth,
            {sums.c + row * sums.pitch + p * width, sums.pitch, inside, deep.begin > 0, next_row});
    }
}

/// How many of the block's panels are read where they are: all whole ones if too few rows of A would pay for packing,
/// rows of B are whole cache lines, and they are not all in the same sets of the first cache.
template <class T>
std::int64_t panels_in_place(const MatmulArgs<T>& x, const TileBlock& block) {
    if constexpr (std::is_same_v<T, SumOf<T>>) {
        constexpr std::int64_t kFewRows = 256, kLine = 64 / sizeof(T), kSetsRepeat = 4096 / sizeof(T);
        const bool pays = block.row_end - block.row_begin > kFewRows;
        if (x.b_by_columns || pays || x.b_pitch % kSetsRepeat == 0 || x.b_pitch % kLine != 0) return 0;
        return std::min(x.k / panel_width<T>(), block.panel_end) - block.panel_begin;
    } else {
        return 0;
    }
}

/// Where rows of B lie that are read where they are.
template <class T>
const SumOf<T>* rows_in_place(const MatmulArgs<T>& x, std::int64_t row, std::int64_t col) {
    if constexpr (std::is_same_v<T, SumOf<T>>)
        return x.b + row * x.b_pitch + col;
    else
        return nullptr;
}

template <class T>
void multiply(const MatmulArgs<T>& x, const Sums<T>& sums, const TileBlock& block, std::byte* room) {
    auto* const packed = reinterpret_cast<SumOf<T>*>(room);
    const std::int64_t width = panel_width<SumOf<T>>(), first_col = block.panel_begin * width;
    const std::int64_t in_place = panels_in_place(x, block), first_packed = first_col + in_place * width;
    const std::int64_t cols = std::min(x.k, block.panel_end * width) - first_packed;
    const Parts depths(x.n, kDeepestBlock), tiles(block.row_end - block.row_begin, kRows);
    for (std::int64_t part = 0; part < depths.count; ++part) {
        const Depth deep{depths.begin(part), depths.end(part)};
        pack(x, deep, first_packed, cols, packed);
        const PanelsOfB<SumOf<T>> b{rows_in_place(x, deep.begin, first_col), x.b_pitch, in_place, packed,
                                    deep.end - deep.begin};
        std::int64_t row = block.row_begin;
        for (std::int64_t tile = 0; tile < tiles.count; ++tile) {
            const std::int64_t next = block.row_begin + tiles.end(tile);
            multiply_row_of_tiles(x, sums, block, deep, row, next - row, b);
            row = next;
        }
    }
}

template <class T>
PanelKernels<T> kernels() {
    constexpr auto kPanelBytes = kDeepestBlock * kWidestPanel * static_cast<std::int64_t>(sizeof(SumOf<T>));
    return {kRows, panel_width<SumOf<T>>(), kPanelBytes, multiply<T>};
}
PanelKernels<float> kernels_float32() { return kernels<float>(); }
PanelKernels<std::int32_t> kernels_int32() { return kernels<std::int32_t>(); }
PanelKernels<float16> kernels_float16() { return kernels<float16>(); }
PanelKernels<bfloat16> kernels_bfloat16() { return kernels<bfloat16>(); }
PanelKernels<std::int8_t> kernels_int8() { return kernels<std::int8_t>(); }
PanelKernels<float8_e4m3> kernels_float8_e4m3() { return kernels<float8_e4m3>(); }
PanelKernels<tfloat32> kernels_tfloat32() { return kernels<tfloat32>(); }

}  // namespace lanework::matmul_simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace lanework::matmul_simd {
HWY_EXPORT(kernels_float32);
HWY_EXPORT(kernels_int32);
HWY_EXPORT(kernels_float16);
HWY_EXPORT(kernels_bfloat16);
HWY_EXPORT(kernels_int8);
HWY_EXPORT(kernels_float8_e4m3);
HWY_EXPORT(kernels_tfloat32);

/// The kernels for the processor that this is.
template <class T>
PanelKernels<T> kernels() {
    if constexpr (std::is_same_v<T, float>) return HWY_DYNAMIC_DISPATCH(kernels_float32)();
    if constexpr (std::is_same_v<T, std::int32_t>) return HWY_DYNAMIC_DISPATCH(kernels_int32)();
    if constexpr (std::is_same_v<T, float16>) return HWY_DYNAMIC_DISPATCH(kernels_float16)();
    if constexpr (std::is_same_v<T, bfloat16>) return HWY_DYNAMIC_DISPATCH(kernels_bfloat16)();
    if constexpr (std::is_same_v<T, std::int8_t>) return HWY_DYNAMIC_DISPATCH(kernels_int8)();
    if constexpr (std::is_same_v<T, float8_e4m3>) return HWY_DYNAMIC_DISPATCH(kernels_float8_e4m3)();
    if constexpr (std::is_same_v<T, tfloat32>) return HWY_DYNAMIC_DISPATCH(kernels_tfloat32)();
}
}  // namespace lanework::matmul_simd

namespace {
template <class T>
std::size_t workspace(const MatmulArgs<T>& x) {
    return workspace_of_panels(x, lanework::matmul_simd::kernels<T>());
}

template <class T>
void launch(const MatmulArgs<T>& x, Team team) {
    multiply_by_panels(x, team, lanework::matmul_simd::kernels<T>());
}
}  // namespace

LANEWORK_RUNG(matmul, simd,
              {
                  .climbs_from = "blocked",
                  .lesson = "A tile of C in vector registers, A and B packed for the caches, all threads: a load per "
                            "two FMAs and less.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<float16>, launch<bfloat16>,
                             launch<std::int8_t>, launch<float8_e4m3>, launch<tfloat32>},
                  .workspace = {workspace<std::int32_t>, workspace<float>, workspace<float16>, workspace<bfloat16>,
                                workspace<std::int8_t>, workspace<float8_e4m3>, workspace<tfloat32>},
                  .fits = {has_epilogue<std::int32_t>, has_epilogue<std::int8_t>},
                  .only = kGeluOfFloats,
              });

#endif  // HWY_ONCE
