// finding: redundant_stores at line 15
// The sum lies in memory: each product is added to it there, and c might be a or b.
#include "ops/matmul/tiles.hpp"

namespace {
constexpr int kCols = 32, kRows = 8;

template <class T>
__global__ void sum_in_memory(const T* a, const T* b, T* c, std::int64_t m, std::int64_t n, std::int64_t k) {
    const std::int64_t row = std::int64_t{blockIdx.y} * kRows + threadIdx.y;
    const std::int64_t col = std::int64_t{blockIdx.x} * kCols + threadIdx.x;
    if (row >= m || col >= k) return;
    c[row * k + col] = T{};
    for (std::int64_t i = 0; i < n; ++i)
        c[row * k + col] = multiply_add(a[row * n + i], b[i * k + col], c[row * k + col]);
}

template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    const dim3 grid = grid_of_tiles(x.m, x.k, kRows, kCols), block(kCols, kRows);
    sum_in_memory<<<grid, block, 0, stream>>>(x.a, x.b, x.c, x.m, x.n, x.k);
}
}  // namespace

LANEWORK_RUNG(matmul, sum_in_memory,
              {.lesson = "Never: a sum belongs into a register until it is whole.",
               .launch = {launch<std::int32_t>, launch<float>},
               .refuses = refuse_beyond_grid<kRows, kCols>});
