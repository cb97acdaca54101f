// Shared memory was the bottleneck: two loads for one multiplication. A thread that keeps 4 × 4 elements of C in
// registers loads 4 + 4 values for 16 multiplications.
#include "ops/matmul/tiles.hpp"

namespace {
constexpr struct {
    int rows = 64, cols = 64;  // of C per block
    int depth = 16;            // of A's columns and B's rows per step
    int side = 4;              // of the square of C per thread
} kTile;
constexpr int kAcross = kTile.cols / kTile.side;               // threads along a row of the tile
constexpr int kThreads = kAcross * (kTile.rows / kTile.side);  // per block
constexpr int kPitch = kTile.rows + 1;

// A's tile is read along its rows, which lie in memory, and stored transposed.
template <class T>
__device__ void load_a(T (*tile)[kPitch], const T* a, std::int64_t m, std::int64_t n, std::int64_t row,
                       std::int64_t first) {
    for (int i = static_cast<int>(threadIdx.x); i < kTile.rows * kTile.depth; i += kThreads)
        tile[i % kTile.depth][i / kTile.depth] = at(a, m, n, row + i / kTile.depth, first + i % kTile.depth);
}

template <class T>
__device__ void load_b(T (*tile)[kTile.cols], const T* b, std::int64_t n, std::int64_t k, std::int64_t first,
                       std::int64_t col) {
    for (int i = static_cast<int>(threadIdx.x); i < kTile.depth * kTile.cols; i += kThreads)
        tile[i / kTile.cols][i % kTile.cols] = at(b, n, k, first + i / kTile.cols, col + i % kTile.cols);
}

// The elements of a thread lie a stride apart, so that the lanes of a warp read neighbouring words of B's tile and
// write neighbouring words of C.
template <class T>
__global__ void __launch_bounds__(kThreads)
    register_tile(const T* a, const T* b, T* c, std::int64_t m, std::int64_t n, std::int64_t k) {
    __shared__ T a_tile[kTile.depth][kPitch], b_tile[kTile.depth][kTile.cols];
    constexpr int kSide = kTile.side, kDown = kTile.rows / kSide;
    const int x = static_cast<int>(threadIdx.x) % kAcross, y = static_cast<int>(threadIdx.x) / kAcross;
    const std::int64_t row = std::int64_t{blockIdx.y} * kTile.rows, col = std::int64_t{blockIdx.x} * kTile.cols;
    T sums[kSide][kSide]{};
    for (std::int64_t first = 0; first < n; first += kTile.depth) {
        load_a(a_tile, a, m, n, row, first);
        load_b(b_tile, b, n, k, first, col);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < kTile.depth; ++i) {
            T down[kSide], across[kSide];
#pragma unroll
            for (int s = 0; s < kSide; ++s) {
                down[s] = a_tile[i][y + s * kDown];
                across[s] = b_tile[i][x + s * kAcross];
            }
#pragma unroll
            for (int r = 0; r < kSide; ++r)
#pragma unroll
                for (int s = 0; s < kSide; ++s) sums[r][s] = multiply_add(down[r], across[s], sums[r][s]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < kSide; ++r)
#pragma unroll
        for (int s = 0; s < kSide; ++s) {
            const std::int64_t to_row = row + y + r * kDown, to_col = col + x + s * kAcross;
            if (to_row < m && to_col < k) c[to_row * k + to_col] = sums[r][s];
        }
}

template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    const dim3 grid = grid_of_tiles(x.m, x.k, kTile.rows, kTile.cols);
    register_tile<<<grid, kThreads, 0, stream>>>(x.a, x.b, x.c, x.m, x.n, x.k);
}
}  // namespace

LANEWORK_RUNG(
    matmul, register_tile,
    {
        .climbs_from = "padded_tile",
        .lesson = "4×4 elements of C per thread in registers: half a load from shared memory per multiplication.",
        .launch = {launch<std::int32_t>, launch<float>},
        .refuses = refuse_beyond_grid<kTile.rows, kTile.cols>,
        .fits = {rows_touch_plain_by_rows<std::int32_t>, rows_touch_plain_by_rows<float>},
        .only = kRowsTouchPlainByRows,
    });
// mends: shared_memory_bound
