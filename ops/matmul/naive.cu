// One thread per element, columns along x: the lanes of a warp read neighbours in a row of B, write neighbours in a row
// of C, and share one element of A.
#include "ops/matmul/tiles.hpp"

namespace {
constexpr int kBlock = 32;

template <class T>
__global__ void naive(const T* a, const T* b, T* c, std::int64_t m, std::int64_t n, std::int64_t k) {
    const std::int64_t row = std::int64_t{blockIdx.y} * kBlock + threadIdx.y;
    const std::int64_t col = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (row < m && col < k) c[row * k + col] = row_times_column(a, b, row, col, n, k);
}

template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    const dim3 grid = grid_of_tiles(x.m, x.k, kBlock, kBlock), block(kBlock, kBlock);
    naive<<<grid, block, 0, stream>>>(x.a, x.b, x.c, x.m, x.n, x.k);
}
}  // namespace

LANEWORK_RUNG(matmul, naive,
              {
                  .climbs_from = "uncoalesced",
                  .lesson = "Columns along x: a warp reads one row of B side by side and one element of A for all.",
                  .launch = {launch<std::int32_t>, launch<float>},
                  .refuses = refuse_beyond_grid<kBlock, kBlock>,
              });
