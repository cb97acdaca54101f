// Products are independent: the team shares out their rows, some at a time. Of a product B is put into floats by rows
// once for those rows, and rows of it are added to sums of C that stay in the first cache, side by side.
#include <algorithm>

#include "ops/batched_matmul/operation.hpp"
#include "src/cpu/each_width.hpp"
#include "src/cpu/helpers.hpp"

namespace {
constexpr std::int64_t kRows = 64;                // of C that a thread takes at a time
constexpr std::int64_t kCols = 256, kDepth = 64;  // of B at a time: 64 KiB of floats
constexpr std::int64_t kTogether = 4;             // rows of C that one row of B is added to

/// sums[r][j] += factor[r]·b[j] for four rows, over `depth` rows of B.
LANEWORK_EACH_WIDTH void add_products(float* __restrict sums, const float* a, const float* __restrict b,
                                      std::int64_t depth, std::int64_t cols) {
    for (std::int64_t i = 0; i < depth; ++i) {
        const float *const factor = a + i * kTogether, *const row = b + i * kCols;
        const float f0 = factor[0], f1 = factor[1], f2 = factor[2], f3 = factor[3];
        for (std::int64_t j = 0; j < cols; ++j) {
            sums[j] += f0 * row[j];
            sums[kCols + j] += f1 * row[j];
            sums[2 * kCols + j] += f2 * row[j];
            sums[3 * kCols + j] += f3 * row[j];
        }
    }
}

struct Room {
    float b[kDepth * kCols], a[kDepth * kTogether], sums[kRows * kCols];
};

/// Rows [row, end) of one product.
template <class T>
void multiply_rows(const MatmulOperands<T>& x, std::int64_t row, std::int64_t end, Room& room) {
    for (std::int64_t col = 0; col < x.k; col += kCols) {
        const std::int64_t cols = std::min(kCols, x.k - col);
        std::fill(std::begin(room.sums), std::end(room.sums), 0.0F);
        for (std::int64_t first = 0; first < x.n; first += kDepth) {
            const std::int64_t depth = std::min(kDepth, x.n - first);
            for (std::int64_t i = 0; i < depth; ++i)
                for (std::int64_t j = 0; j < cols; ++j)
                    room.b[i * kCols + j] = widened(x.b_by_columns ? x.b[(col + j) * x.b_pitch + first + i]
                                                                   : x.b[(first + i) * x.b_pitch + col + j]);
            for (std::int64_t r = row; r < end; r += kTogether) {
                for (std::int64_t i = 0; i < depth; ++i)
                    for (std::int64_t t = 0; t < kTogether; ++t)
                        room.a[i * kTogether + t] = r + t < end ? widened(x.a[(r + t) * x.a_pitch + first + i]) : 0.0F;
                add_products(room.sums + (r - row) * kCols, room.a, room.b, depth, cols);
            }
        }
        for (std::int64_t r = row; r < end; ++r)
            for (std::int64_t j = 0; j < cols; ++j)
                x.c[r * x.c_pitch + col + j] = narrowed<T>(room.sums[(r - row) * kCols + j]);
    }
}

template <class T>
void launch(const BatchedMatmulArgs<T>& all, Team team) {
    if (all.empty()) return;
    constexpr std::int64_t kSharesEach = 16;  // of a thread: some take longer
    const std::int64_t of_each = ceil_div(all.first.m, kRows), count = all.products * of_each;
    const std::int64_t together = ceil_div(count, kSharesEach * team.threads);
    share_out(team.threads, static_cast<std::uint32_t>(ceil_div(count, together)), [&](std::int64_t share) {
        Room room;
        for (std::int64_t k = share * together; k < std::min(count, (share + 1) * together); ++k) {
            const std::int64_t row = k % of_each * kRows;
            multiply_rows(all.product(k / of_each), row, std::min(row + kRows, all.first.m), room);
        }
    });
}
}  // namespace

LANEWORK_RUNG(
    batched_matmul, threads,
    {
        .climbs_from = "serial",
        .lesson = "Products are independent: the team shares them out, and rows of B are added to sums in the "
                  "first cache.",
        .launch = {launch<float>, launch<float16>, launch<bfloat16>},
    });
