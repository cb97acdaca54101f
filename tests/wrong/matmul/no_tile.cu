// finding: redundant_loads at line 16
// The warps of a block read the same columns of B again and again, straight from global memory.
#include "ops/matmul/tiles.hpp"

namespace {
constexpr int kCols = 32, kRows = 8;

template <class T>
__global__ void no_tile(const T* a, const T* b, T* c, std::int64_t m, std::int64_t n, std::int64_t k) {
    const std::int64_t row = std::int64_t{blockIdx.y} * kRows + threadIdx.y;
    const std::int64_t col = std::int64_t{blockIdx.x} * kCols + threadIdx.x;
    if (row >= m || col >= k) return;
    T sum{};
    for (std::int64_t i = 0; i < n; ++i) {
        const T left = a[row * n + i];
        const T right = b[i * k + col];  // a tile of B in shared memory would be right
        sum = multiply_add(left, right, sum);
    }
    c[row * k + col] = sum;
}

template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    const dim3 grid = grid_of_tiles(x.m, x.k, kRows, kCols), block(kCols, kRows);
    no_tile<<<grid, block, 0, stream>>>(x.a, x.b, x.c, x.m, x.n, x.k);
}
}  // namespace

LANEWORK_RUNG(matmul, no_tile,
              {.lesson = "Never: what a block reads often belongs into shared memory.",
               .launch = {launch<std::int32_t>, launch<float>},
               .refuses = refuse_beyond_grid<kRows, kCols>});
