// expect: wrong — the next tiles are staged while slower threads still read the ones before
// says: c[0] is
// finding: race at line 18
// finding: race at line 17
#include "ops/matmul/tiles.hpp"

namespace {
constexpr int kTile = 16;

template <class T>
__global__ void missing_second_barrier(const T* a, const T* b, T* c, std::int64_t m, std::int64_t n, std::int64_t k) {
    __shared__ T a_tile[kTile][kTile], b_tile[kTile][kTile];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const std::int64_t row = std::int64_t{blockIdx.y} * kTile + y, col = std::int64_t{blockIdx.x} * kTile + x;
    T sum{};
    for (std::int64_t first = 0; first < n; first += kTile) {
        a_tile[y][x] = at(a, m, n, row, first + x);
        b_tile[y][x] = at(b, n, k, first + y, col);
        __syncthreads();
        for (int i = 0; i < kTile; ++i) sum = multiply_add(a_tile[y][i], b_tile[i][x], sum);
        // Here __syncthreads() is missing.
    }
    if (row < m && col < k) c[row * k + col] = sum;
}

template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    const dim3 grid = grid_of_tiles(x.m, x.k, kTile, kTile), block(kTile, kTile);
    missing_second_barrier<<<grid, block, 0, stream>>>(x.a, x.b, x.c, x.m, x.n, x.k);
}
}  // namespace

LANEWORK_RUNG(matmul, missing_second_barrier,
              {.lesson = "Never: one barrier between writing a tile and reading it, none between reading and writing.",
               .launch = {launch<std::int32_t>, launch<float>}});
