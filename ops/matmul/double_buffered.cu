// Two pairs of tiles take turns: while one is multiplied, the next comes from global memory into registers and is put
// down in the other. The wait for memory is hidden, and one barrier per step is enough.
#include "ops/matmul/quad_tile.hpp"

namespace {
constexpr int kDepth = 16;
constexpr int kBlocksPerProcessor = 1;  // registers for both tiles and the fetched ones, rather than a second block

template <bool kQuads, bool kPlain, class T>
__global__ void __launch_bounds__(kQuadTileThreads, kBlocksPerProcessor) double_buffered(KernelArgs<kPlain, T> x) {
    __shared__ QuadTiles<T, kDepth> tiles[2];
    const std::int64_t row = std::int64_t{blockIdx.y} * kQuadTileSide, col = std::int64_t{blockIdx.x} * kQuadTileSide;
    QuadSums<T> sums;
    QuadMover<T, kDepth> mover;
    mover.template load<kQuads>(x, row, col, 0);
    mover.store(tiles[0]);
    __syncthreads();
    int current = 0;
    for (std::int64_t next = kDepth; next < x.n; next += kDepth) {
        mover.template load<kQuads>(x, row, col, next);
        sums.add(tiles[current]);
        current ^= 1;
        mover.store(tiles[current]);  // last read a step ago, before the barrier
        __syncthreads();
    }
    sums.add(tiles[current]);
    sums.template write<kQuads, kPlain>(x, row, col);
}

template <bool kPlain, class T>
void launch_finished(const MatmulArgs<T>& x, cudaStream_t stream) {
    const dim3 grid = grid_of_tiles(x.m, x.k, kQuadTileSide, kQuadTileSide);
    if (in_quads(x))
        double_buffered<true, kPlain, T><<<grid, kQuadTileThreads, 0, stream>>>(x);
    else
        double_buffered<false, kPlain, T><<<grid, kQuadTileThreads, 0, stream>>>(x);
}
template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    if (x.finish.plain())
        launch_finished<true>(x, stream);
    else
        launch_finished<false>(x, stream);
}
}  // namespace

LANEWORK_RUNG(
    matmul, double_buffered,
    {
        .climbs_from = "vectorized",
        .lesson = "Fetch the next tiles while these are multiplied: memory's latency hides behind arithmetic.",
        .launch = {launch<std::int32_t>, launch<float>},
        .refuses = refuse_beyond_grid<kQuadTileSide, kQuadTileSide>,
        .fits = {by_rows_with_epilogue<std::int32_t>, by_rows_with_epilogue<float>},
        .only = kByRows,
    });
// mends: few_loads_in_flight
