// The same tiles in shared memory whose size is named at the launch: one kernel for every tile that fits the device.
#include "ops/matmul/tiles.hpp"

namespace {
constexpr int kTile = 32;

template <class T>
__global__ void shared_tile_dynamic(const T* a, const T* b, T* c, std::int64_t m, std::int64_t n, std::int64_t k,
                                    int tile) {
    extern __shared__ unsigned char memory[];  // two tiles of tile × tile elements
    T* const a_tile = reinterpret_cast<T*>(memory);
    T* const b_tile = a_tile + tile * tile;
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
    const std::int64_t row = std::int64_t{blockIdx.y} * tile + y, col = std::int64_t{blockIdx.x} * tile + x;
    T sum{};
    for (std::int64_t first = 0; first < n; first += tile) {
        a_tile[y * tile + x] = at(a, m, n, row, first + x);
        b_tile[y * tile + x] = at(b, n, k, first + y, col);
        __syncthreads();
        for (int i = 0; i < tile; ++i) sum = multiply_add(a_tile[y * tile + i], b_tile[i * tile + x], sum);
        __syncthreads();
    }
    if (row < m && col < k) c[row * k + col] = sum;
}

template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    const dim3 grid = grid_of_tiles(x.m, x.k, kTile, kTile), block(kTile, kTile);
    const std::size_t bytes = 2 * kTile * kTile * sizeof(T);
    shared_tile_dynamic<<<grid, block, bytes, stream>>>(x.a, x.b, x.c, x.m, x.n, x.k, kTile);
}
}  // namespace

LANEWORK_RUNG(
    matmul, shared_tile_dynamic,
    {
        .climbs_from = "shared_tile",
        .lesson = "Shared memory sized at the launch: flexible, but the loop's length is unknown to the compiler.",
        .launch = {launch<std::int32_t>, launch<float>},
        .refuses = refuse_beyond_grid<kTile, kTile>,
        .fits = {rows_touch_plain_by_rows<std::int32_t>, rows_touch_plain_by_rows<float>},
        .only = kRowsTouchPlainByRows,
    });
