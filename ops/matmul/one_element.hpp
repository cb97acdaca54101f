// One thread per element of C, in square blocks of threads with columns along x: the naive product, for any block size.
#pragma once

#include "ops/matmul/tiles.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

template <int kBlock, class T>
__global__ void one_element_each(const T* a, const T* b, Result<T>* c, std::int64_t m, std::int64_t n, std::int64_t k) {
    const std::int64_t row = std::int64_t{blockIdx.y} * kBlock + threadIdx.y;
    const std::int64_t col = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (row < m && col < k) c[row * k + col] = row_times_column(a, b, row, col, n, k);
}

/// The same where rows lie apart, or B is given by columns: the lanes of a warp then read it a pitch apart; or where a
/// sum is not yet what is written.
template <int kBlock, bool kPlain, class T>
__global__ void one_element_each_of_views(KernelArgs<kPlain, T> x) {
    const std::int64_t row = std::int64_t{blockIdx.y} * kBlock + threadIdx.y;
    const std::int64_t col = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (row >= x.m || col >= x.k) return;
    write_sum<kPlain>(x, row, col, sum_of_views<T>(x, row, col));
}

template <int kBlock, class T>
void launch_one_element_each(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    const dim3 grid = grid_of_tiles(x.m, x.k, kBlock, kBlock), block(kBlock, kBlock);
    if (rows_touch_plain_by_rows(x))
        one_element_each<kBlock><<<grid, block, 0, stream>>>(x.a, x.b, x.c, x.m, x.n, x.k);
    else if (x.finish.plain())
        one_element_each_of_views<kBlock, true, T><<<grid, block, 0, stream>>>(x);
    else
        one_element_each_of_views<kBlock, false, T><<<grid, block, 0, stream>>>(x);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
