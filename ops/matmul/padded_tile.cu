// A's tile is kept transposed, as every faster rung wants it: a thread then finds the elements of a column of A side by
// side. Written down its columns, a 32 × 32 tile puts all lanes on one bank; a 33rd column moves each to its own.
#include "ops/matmul/tiles.hpp"

namespace {
constexpr int kTile = 32;
constexpr int kPitch = kTile + 1;

template <class T>
__global__ void padded_tile(const T* a, const T* b, T* c, std::int64_t m, std::int64_t n, std::int64_t k) {
    __shared__ T a_tile[kTile][kPitch], b_tile[kTile][kTile];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const std::int64_t row = std::int64_t{blockIdx.y} * kTile + y, col = std::int64_t{blockIdx.x} * kTile + x;
    T sum{};
    for (std::int64_t first = 0; first < n; first += kTile) {
        a_tile[x][y] = at(a, m, n, row, first + x);
        b_tile[y][x] = at(b, n, k, first + y, col);
        __syncthreads();
        for (int i = 0; i < kTile; ++i) sum = multiply_add(a_tile[i][y], b_tile[i][x], sum);
        __syncthreads();
    }
    if (row < m && col < k) c[row * k + col] = sum;
}

template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    const dim3 grid = grid_of_tiles(x.m, x.k, kTile, kTile), block(kTile, kTile);
    padded_tile<<<grid, block, 0, stream>>>(x.a, x.b, x.c, x.m, x.n, x.k);
}
}  // namespace

LANEWORK_RUNG(matmul, padded_tile,
              {
                  .climbs_from = "shared_tile",
                  .lesson = "A's tile transposed, one column of padding: its writes go to 32 banks instead of one.",
                  .launch = {launch<std::int32_t>, launch<float>},
                  .refuses = refuse_beyond_grid<kTile, kTile>,
                  .fits = {rows_touch_plain_by_rows<std::int32_t>, rows_touch_plain_by_rows<float>},
                  .only = kRowsTouchPlainByRows,
              });
