// The loops turned round: rows of B are added to rows of C, both walked along memory, in blocks of B that stay in the
// cache for all rows of A.
#include <algorithm>

#include "ops/matmul/operation.hpp"

namespace {
constexpr struct {
    std::int64_t depth = 64, cols = 512;  // of B per block: 128 KiB
} kBlock;

/// C[row] += factor · B[i], over the block's columns.
template <class T>
void add_multiple(T* c, T factor, const T* b, std::int64_t count) {
    for (std::int64_t j = 0; j < count; ++j) c[j] = multiply_add(factor, b[j], c[j]);
}

template <class T>
void launch(const MatmulArgs<T>& x, Team) {
    for (std::int64_t row = 0; row < x.m; ++row) std::fill_n(x.c + row * x.c_pitch, x.k, T{});
    for (std::int64_t first = 0; first < x.n; first += kBlock.depth)
        for (std::int64_t col = 0; col < x.k; col += kBlock.cols) {
            const std::int64_t end = std::min(x.n, first + kBlock.depth), count = std::min(kBlock.cols, x.k - col);
            for (std::int64_t row = 0; row < x.m; ++row)
                for (std::int64_t i = first; i < end; ++i)
                    add_multiple(x.c + row * x.c_pitch + col, x.a[row * x.a_pitch + i], x.b + i * x.b_pitch + col,
                                 count);
        }
}
}  // namespace

LANEWORK_RUNG(
    matmul, blocked,
    {
        .climbs_from = "serial",
        .lesson = "Walk along memory, in blocks that fit the cache: the same arithmetic, no waiting for memory.",
        .launch = {launch<std::int32_t>, launch<float>},
        .fits = {plain_by_rows<std::int32_t>, plain_by_rows<float>},
        .only = kPlainByRows,
    });
