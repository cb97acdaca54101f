// A tile of C lives in vector registers while rows of A and columns of B stream past. B is first copied into panels as
// wide as the tile, so that it streams from consecutive memory; blocks of tiles are shared out among the team.
#include <algorithm>

#include "ops/matmul/cpu/panels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/matmul/cpu/simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lanework::matmul_simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A tile is kRows × 2 vectors. Of AVX-512's 32 registers it takes 28, and 3 for operands; of the others' 16, 12 and 3.
#if HWY_TARGET <= HWY_AVX3
inline constexpr int kRows = 14;
#else
inline constexpr int kRows = 6;
#endif
inline constexpr std::int64_t kDepth = 256;  // rows of a panel per step: at most 32 KiB, which the first cache holds

template <class T>
using Tag = hn::CappedTag<T, kWidestPanel / 2>;

template <class T>
std::int64_t panel_width() {
    return 2 * static_cast<std::int64_t>(hn::Lanes(Tag<T>()));
}

template <class V>
HWY_INLINE V vector_multiply_add(V a, V b, V sum) {
    if constexpr (std::is_integral_v<hn::TFromV<V>>)
        return hn::Add(hn::Mul(a, b), sum);
    else
        return hn::MulAdd(a, b, sum);
}

/// c (kRows × panel width, rows `pitch` apart) = `depth` columns of kRows rows of A × as many rows of a panel;
/// with `onto`, added to it.
template <class T>
HWY_INLINE void multiply_tile(const T* const* rows, const T* panel, std::int64_t depth, bool onto, T* c,
                              std::int64_t pitch) {
    const Tag<T> d;
    const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(d));
    hn::Vec<Tag<T>> left[kRows], right[kRows];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
        left[r] = onto ? hn::LoadU(d, c + r * pitch) : hn::Zero(d);
        right[r] = onto ? hn::LoadU(d, c + r * pitch + lanes) : hn::Zero(d);
    }
    for (std::int64_t i = 0; i < depth; ++i) {
        const auto b_left = hn::LoadU(d, panel + i * 2 * lanes), b_right = hn::LoadU(d, panel + (i * 2 + 1) * lanes);
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) {
            const auto a = hn::Set(d, rows[r][i]);
            left[r] = vector_multiply_add(a, b_left, left[r]);
            right[r] = vector_multiply_add(a, b_right, right[r]);
        }
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
        hn::StoreU(left[r], d, c + r * pitch);
        hn::StoreU(right[r], d, c + r * pitch + lanes);
    }
}

/// A tile that hangs over the edge of C is computed beside it, and what lies inside is copied.
template <class T>
void multiply_edge_tile(const T* const* rows, const T* panel, std::int64_t depth, bool onto, T* c, std::int64_t pitch,
                        std::int64_t height, std::int64_t width) {
    const std::int64_t full = panel_width<T>();
    T tile[kRows * kWidestPanel] = {};
    if (onto)
        for (std::int64_t r = 0; r < height; ++r) std::copy_n(c + r * pitch, width, tile + r * full);
    multiply_tile(rows, panel, depth, onto, tile, full);
    for (std::int64_t r = 0; r < height; ++r) std::copy_n(tile + r * full, width, c + r * pitch);
}

template <class T>
void multiply(const MatmulArgs<T>& x, const T* panels, const PanelBlock& block) {
    const std::int64_t width = panel_width<T>();
    for (std::int64_t first = 0; first < x.n; first += kDepth) {
        const std::int64_t depth = std::min(kDepth, x.n - first);
        for (std::int64_t p = block.panel_begin; p < block.panel_end; ++p) {
            const T* const panel = panels + (p * x.n + first) * width;
            const std::int64_t inside = std::min(width, x.k - p * width);
            for (std::int64_t row = block.row_begin; row < block.row_end; row += kRows) {
                const std::int64_t height = std::min<std::int64_t>(kRows, block.row_end - row);
                const T* rows[kRows];  // those beyond the last row repeat it
                for (int r = 0; r < kRows; ++r)
                    rows[r] = x.a + (row + std::min<std::int64_t>(r, height - 1)) * x.n + first;
                T* const c = x.c + row * x.k + p * width;
                if (height == kRows && inside == width)
                    multiply_tile(rows, panel, depth, first > 0, c, x.k);
                else
                    multiply_edge_tile(rows, panel, depth, first > 0, c, x.k, height, inside);
            }
        }
    }
}

template <class T>
void pack(const MatmulArgs<T>& x, std::int64_t index, T* panels) {
    const std::int64_t width = panel_width<T>(), inside = std::min(width, x.k - index * width);
    T* to = panels + index * x.n * width;
    for (std::int64_t i = 0; i < x.n; ++i, to += width) {
        std::copy_n(x.b + i * x.k + index * width, inside, to);
        std::fill(to + inside, to + width, T{});
    }
}

PanelKernels<float> kernels_float() { return {kRows, panel_width<float>(), pack<float>, multiply<float>}; }
PanelKernels<std::int32_t> kernels_int32() {
    return {kRows, panel_width<std::int32_t>(), pack<std::int32_t>, multiply<std::int32_t>};
}

}  // namespace lanework::matmul_simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace lanework::matmul_simd {
HWY_EXPORT(kernels_float);
HWY_EXPORT(kernels_int32);

/// The kernels for the processor that this is.
template <class T>
PanelKernels<T> kernels() {
    if constexpr (std::is_same_v<T, float>)
        return HWY_DYNAMIC_DISPATCH(kernels_float)();
    else
        return HWY_DYNAMIC_DISPATCH(kernels_int32)();
}
}  // namespace lanework::matmul_simd

namespace {
constexpr struct {
    std::int64_t tiles = 6, panels = 4;  // of C per block that a thread takes
} kBlock;
constexpr std::int64_t kWorthATeam = 1 << 18;  // fewer multiplications are done sooner than threads wake up

template <class T>
std::size_t workspace(const MatmulArgs<T>& x) {
    return static_cast<std::size_t>(x.n * ceil_div(x.k, kWidestPanel) * kWidestPanel) * sizeof(T);
}

template <class T>
void launch(const MatmulArgs<T>& x, Team team) {
    if (x.empty()) return;
    if (x.n == 0) {
        std::fill_n(x.c, x.m * x.k, T{});
        return;
    }
    const PanelKernels<T> kernels = lanework::matmul_simd::kernels<T>();
    const std::int64_t panels = ceil_div(x.k, kernels.width), height = kernels.rows * kBlock.tiles;
    T* const packed = static_cast<T*>(x.workspace);
    const int threads = x.m * x.n * x.k < kWorthATeam ? 1 : team.threads;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for
        for (std::int64_t p = 0; p < panels; ++p) kernels.pack(x, p, packed);
#pragma omp for collapse(2) schedule(dynamic)
        for (std::int64_t p = 0; p < panels; p += kBlock.panels)
            for (std::int64_t row = 0; row < x.m; row += height)
                kernels.multiply(x, packed, {row, std::min(x.m, row + height), p, std::min(panels, p + kBlock.panels)});
    }
}
}  // namespace

LANEWORK_RUNG(
    matmul, simd,
    {
        .climbs_from = "blocked",
        .lesson = "A tile of C in vector registers, B packed in panels, all threads: one load per two FMAs and less.",
        .launch = {launch<std::int32_t>, launch<float>},
        .workspace = {workspace<std::int32_t>, workspace<float>},
    });

#endif  // HWY_ONCE
