// One thread per element, rows along x: the lanes of a warp stand in one column, so each of their reads of A and writes
// of C falls into another row, and another 32-byte sector.
#include "ops/matmul/tiles.hpp"

namespace {
constexpr int kBlock = 32;

template <class T>
__global__ void uncoalesced(const T* a, const T* b, Result<T>* c, std::int64_t m, std::int64_t n, std::int64_t k) {
    const std::int64_t row = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    const std::int64_t col = std::int64_t{blockIdx.y} * kBlock + threadIdx.y;
    if (row < m && col < k) c[row * k + col] = row_times_column(a, b, row, col, n, k);
}

template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    const dim3 columns_by_rows = grid_of_tiles(x.m, x.k, kBlock, kBlock);
    const dim3 grid(columns_by_rows.y, columns_by_rows.x), block(kBlock, kBlock);
    uncoalesced<<<grid, block, 0, stream>>>(x.a, x.b, x.c, x.m, x.n, x.k);
}

std::string_view refuses(const Problem& p) {
    return ceil_div(p.lengths<MatmulAxes>().k, kBlock) > 65535
               ? "a grid ends at 65535 blocks along y, and this rung lays columns along it"
               : std::string_view();
}
}  // namespace

LANEWORK_RUNG(matmul, uncoalesced,
              {
                  .lesson = "Rows along x: the lanes of a warp walk down a column and share no sector.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<std::int8_t>, launch<float8_e4m3>,
                             launch<tfloat32>},
                  .refuses = refuses,
                  .fits = {rows_touch_plain_by_rows<std::int32_t>, rows_touch_plain_by_rows<float>,
                           rows_touch_plain_by_rows<std::int8_t>, rows_touch_plain_by_rows<float8_e4m3>,
                           rows_touch_plain_by_rows<tfloat32>},
                  .only = kRowsTouchPlainByRows,
              });
