// Two pairs of tiles take turns: while one is multiplied, the next comes from global memory into registers and is put
// down in the other. The wait for memory is hidden, and one barrier per step is enough.
#include "ops/matmul/quad_tile.hpp"

namespace {
constexpr int kDepth = 16;
constexpr int kBlocksPerProcessor = 1;  // registers for both tiles and the fetched ones, rather than a second block

template <bool kByColumns, bool kQuads, bool kPlain, class T>
__global__ void __launch_bounds__(kQuadTileThreads, kBlocksPerProcessor) double_buffered(KernelArgs<kPlain, T> x) {
    __shared__ QuadTiles<T, kDepth, kByColumns> tiles[2];
    const std::int64_t row = std::int64_t{blockIdx.y} * kQuadTileSide, col = std::int64_t{blockIdx.x} * kQuadTileSide;
    QuadSums<T> sums;
    add_tiles<kQuads>(sums, x, row, col, tiles);
    sums.template write<kQuads, kPlain>(x, row, col);
}

template <bool kByColumns, bool kPlain, class T>
void launch_finished(const MatmulArgs<T>& x, cudaStream_t stream) {
    const dim3 grid = grid_of_tiles(x.m, x.k, kQuadTileSide, kQuadTileSide);
    if (in_quads(x))
        double_buffered<kByColumns, true, kPlain, T><<<grid, kQuadTileThreads, 0, stream>>>(x);
    else
        double_buffered<kByColumns, false, kPlain, T><<<grid, kQuadTileThreads, 0, stream>>>(x);
}
template <bool kByColumns, class T>
void launch_form(const MatmulArgs<T>& x, cudaStream_t stream) {
    x.finish.plain() ? launch_finished<kByColumns, true>(x, stream) : launch_finished<kByColumns, false>(x, stream);
}
template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    x.b_by_columns ? launch_form<true>(x, stream) : launch_form<false>(x, stream);
}
}  // namespace

LANEWORK_RUNG(
    matmul, double_buffered,
    {
        .climbs_from = "vectorized",
        .lesson = "Fetch the next tiles while these are multiplied: memory's latency hides behind arithmetic.",
        .launch = {launch<std::int32_t>, launch<float>},
        .refuses = refuse_beyond_grid<kQuadTileSide, kQuadTileSide>,
        .fits = {has_epilogue<std::int32_t>, has_epilogue<float>},
        .only = kGeluOfFloats,
    });
// mends: few_loads_in_flight
