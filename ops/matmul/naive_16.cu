// Blocks of 16 × 16 threads: all lanes work. A warp covers 16 columns of two rows, so that its reads of B are 64 bytes
// wide and serve both rows.
#include "ops/matmul/tiles.hpp"

namespace {
constexpr int kBlock = 16;

template <class T>
__global__ void naive_16(const T* a, const T* b, T* c, std::int64_t m, std::int64_t n, std::int64_t k) {
    const std::int64_t row = std::int64_t{blockIdx.y} * kBlock + threadIdx.y;
    const std::int64_t col = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (row < m && col < k) c[row * k + col] = row_times_column(a, b, row, col, n, k);
}

template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    const dim3 grid = grid_of_tiles(x.m, x.k, kBlock, kBlock), block(kBlock, kBlock);
    naive_16<<<grid, block, 0, stream>>>(x.a, x.b, x.c, x.m, x.n, x.k);
}
}  // namespace

LANEWORK_RUNG(matmul, naive_16,
              {
                  .climbs_from = "naive_1",
                  .lesson = "Blocks of 16×16: every lane works; a warp covers two half rows.",
                  .launch = {launch<std::int32_t>, launch<float>},
                  .refuses = refuse_beyond_grid<kBlock, kBlock>,
              });
