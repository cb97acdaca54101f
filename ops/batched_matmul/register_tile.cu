// A block keeps 64 × 64 elements of one product in registers, 4 × 4 in each thread, or 32 × 32 of small ones: what a
// step fetches is read as many times. Operands of 16 bits become floats on their way into shared memory.
#include "ops/batched_matmul/tiles.hpp"

namespace {
constexpr int kDepth = 16, kEach = 4;
constexpr int kLarge = 64, kSmall = 32;  // sides of a tile

struct alignas(16) Four {
    float value[kEach];
};

/// So many neighbours, which one access moves.
template <class T, int kWide>
struct alignas(kWide * sizeof(T)) Neighbours {
    T value[kWide];
};

template <int kSide>
struct Tiles {
    static constexpr int kAcross = kSide / kEach, kThreads = kAcross * kAcross;
    /// Four more columns than there are: what is written transposed spreads over the banks.
    alignas(16) float a[kDepth][kSide + 4];
    alignas(16) float b[kDepth][kSide + 4];

    /// Puts a part of a matrix down that begins at (row, col), zeros outside: kDepth rows of kSide columns as they lie,
    /// or kSide rows of kDepth columns transposed. kWide elements at once, of which a row has whole ones.
    template <bool kTransposed, int kWide, class T>
    static __device__ void fetch(float (&tile)[kDepth][kSide + 4], const T* matrix, std::int64_t rows,
                                 std::int64_t cols, std::int64_t pitch, std::int64_t row, std::int64_t col) {
        constexpr int kCols = (kTransposed ? kDepth : kSide) / kWide, kLoads = kSide * kDepth / kThreads / kWide;
#pragma unroll
        for (int i = 0; i < kLoads; ++i) {
            const int at = static_cast<int>(threadIdx.x) + i * kThreads, r = at / kCols, c = at % kCols * kWide;
            Neighbours<T, kWide> some{};
            if (row + r < rows && col + c < cols)
                some = *reinterpret_cast<const Neighbours<T, kWide>*>(matrix + (row + r) * pitch + col + c);
#pragma unroll
            for (int j = 0; j < kWide; ++j)
                tile[kTransposed ? c + j : r][kTransposed ? r : c + j] = widened(some.value[j]);
        }
    }
};

template <int kSide, int kWide, class T>
__global__ void __launch_bounds__(Tiles<kSide>::kThreads) register_tile(BatchedMatmulArgs<T> all) {
    __shared__ Tiles<kSide> tiles;
    const MatmulOperands<T> x = all.product(blockIdx.z);
    const std::int64_t row = std::int64_t{blockIdx.y} * kSide, col = std::int64_t{blockIdx.x} * kSide;
    const int my_row = static_cast<int>(threadIdx.x) / Tiles<kSide>::kAcross * kEach;
    const int my_col = static_cast<int>(threadIdx.x) % Tiles<kSide>::kAcross * kEach;
    float sums[kEach][kEach] = {};
    for (std::int64_t first = 0; first < x.n; first += kDepth) {
        tiles.template fetch<true, kWide>(tiles.a, x.a, x.m, x.n, x.a_pitch, row, first);
        if (x.b_by_columns)
            tiles.template fetch<true, kWide>(tiles.b, x.b, x.k, x.n, x.b_pitch, col, first);
        else
            tiles.template fetch<false, kWide>(tiles.b, x.b, x.n, x.k, x.b_pitch, first, col);
        __syncthreads();
#pragma unroll
        for (int d = 0; d < kDepth; ++d) {
            const Four down = *reinterpret_cast<const Four*>(&tiles.a[d][my_row]);
            const Four across = *reinterpret_cast<const Four*>(&tiles.b[d][my_col]);
#pragma unroll
            for (int r = 0; r < kEach; ++r)
#pragma unroll
                for (int c = 0; c < kEach; ++c) sums[r][c] = multiply_add(down.value[r], across.value[c], sums[r][c]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < kEach; ++r)
#pragma unroll
        for (int c = 0; c < kEach; c += kWide)
            if (row + my_row + r < x.m && col + my_col + c < x.k) {
                Neighbours<T, kWide> some;
#pragma unroll
                for (int j = 0; j < kWide; ++j) some.value[j] = narrowed<T>(sums[r][c + j]);
                *reinterpret_cast<Neighbours<T, kWide>*>(x.c + (row + my_row + r) * x.c_pitch + col + my_col + c) =
                    some;
            }
}

template <int kSide, class T>
void launch_tiles(const BatchedMatmulArgs<T>& all, cudaStream_t stream) {
    const bool fours = in_fours(all);
    launch_along_z(all, [=](const BatchedMatmulArgs<T>& x) {
        dim3 grid = grid_of_tiles(x.first.m, x.first.k, kSide, kSide);
        grid.z = static_cast<unsigned>(x.products);
        if (fours)
            register_tile<kSide, kEach><<<grid, Tiles<kSide>::kThreads, 0, stream>>>(x);
        else
            register_tile<kSide, 1><<<grid, Tiles<kSide>::kThreads, 0, stream>>>(x);
    });
}
template <class T>
void launch(const BatchedMatmulArgs<T>& x, cudaStream_t stream) {
    x.first.m <= kSmall&& x.first.k <= kSmall ? launch_tiles<kSmall>(x, stream) : launch_tiles<kLarge>(x, stream);
}
}  // namespace

LANEWORK_RUNG(batched_matmul, register_tile,
              {
                  .climbs_from = "naive",
                  .lesson = "A tile of each product in registers: memory is read once for 64 rows or columns.",
                  .launch = {launch<float>, launch<float16>, launch<bfloat16>},
                  .refuses = refuse_products_beyond_grid<kLarge, kLarge>,
              });
// mends: uncached_reads
