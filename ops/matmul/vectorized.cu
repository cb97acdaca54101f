// A larger tile, 8 × 8 elements per thread, and 16-byte accesses on the way in, through shared memory and out: an
// eighth of the instructions that only moved data.
#include "ops/matmul/quad_tile.hpp"

namespace {
constexpr int kDepth = 16;

template <bool kQuads, class T>
__global__ void __launch_bounds__(kQuadTileThreads, 2) vectorized(MatmulOperands<T> x) {
    __shared__ QuadTiles<T, kDepth> tiles;
    const std::int64_t row = std::int64_t{blockIdx.y} * kQuadTileSide, col = std::int64_t{blockIdx.x} * kQuadTileSide;
    QuadSums<T> sums;
    for (std::int64_t first = 0; first < x.n; first += kDepth) {
        QuadMover<T, kDepth> mover;
        mover.template load<kQuads>(x, row, col, first);
        mover.store(tiles);
        __syncthreads();
        sums.add(tiles);
        __syncthreads();
    }
    sums.template write<kQuads>(x, row, col);
}

template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    const dim3 grid = grid_of_tiles(x.m, x.k, kQuadTileSide, kQuadTileSide);
    if (in_quads(x))
        vectorized<true><<<grid, kQuadTileThreads, 0, stream>>>(x);
    else
        vectorized<false><<<grid, kQuadTileThreads, 0, stream>>>(x);
}
}  // namespace

LANEWORK_RUNG(
    matmul, vectorized,
    {
        .climbs_from = "register_tile",
        .lesson = "8×8 elements per thread and 16-byte accesses: the multipliers, not the loads, set the pace.",
        .launch = {launch<std::int32_t>, launch<float>},
        .refuses = refuse_beyond_grid<kQuadTileSide, kQuadTileSide>,
        .fits = {plain_by_rows<std::int32_t>, plain_by_rows<float>},
        .only = kPlainByRows,
    });
// mends: shared_memory_bound, narrow_vectors
