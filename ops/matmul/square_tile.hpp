// Square tiles of A and B in shared memory, one thread per element of C: each element that is read from global memory
// is used kTile times. Outside of the matrices the tiles are zero, so that no size has to divide another.
#pragma once

#include "ops/matmul/tiles.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

template <int kTile, class T>
__global__ void square_tiles(const T* a, const T* b, Result<T>* c, std::int64_t m, std::int64_t n, std::int64_t k) {
    __shared__ T a_tile[kTile][kTile], b_tile[kTile][kTile];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const std::int64_t row = std::int64_t{blockIdx.y} * kTile + y, col = std::int64_t{blockIdx.x} * kTile + x;
    SumOf<T> sum{};
    for (std::int64_t first = 0; first < n; first += kTile) {
        a_tile[y][x] = at(a, m, n, row, first + x);
        b_tile[y][x] = at(b, n, k, first + y, col);
        __syncthreads();  // the tiles are complete…
        for (int i = 0; i < kTile; ++i) sum = multiply_add(widened(a_tile[y][i]), widened(b_tile[i][x]), sum);
        __syncthreads();  // …and no longer needed
    }
    if (row < m && col < k) c[row * k + col] = narrowed<Result<T>>(sum);
}

template <int kTile, class T>
void launch_square_tiles(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    const dim3 grid = grid_of_tiles(x.m, x.k, kTile, kTile), block(kTile, kTile);
    square_tiles<kTile><<<grid, block, 0, stream>>>(x.a, x.b, x.c, x.m, x.n, x.k);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
