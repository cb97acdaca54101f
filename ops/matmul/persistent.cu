// As many blocks as the GPU has multiprocessors, tile after tile in each: one tile is written while the next is
// fetched, two blocks share the columns of B that one of them fetched, and tiles that run together share what the cache
// holds.
// architectures: 90a-real
#include "ops/matmul/persistent.cuh"

namespace {
#if LANEWORK_HAS_WARPGROUPS
template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    using Tiles = PersistentTiles<T, T>;
    if (x.empty()) return;
    if (x.n == 0) return write_zeros(x, stream);
    const int shared = allow_shared(persistent_tiles<T, T>, sizeof(typename Tiles::Shared));
    persistent_tiles<T, T><<<persistent_blocks<T>(x), Tiles::kThreads, shared, stream>>>(
        x, PieceProducts{}, true, map_of(x.a, x.m, x.n, x.a_pitch, kBlockRows),
        map_of(x.b, x.n, x.k, x.b_pitch, kStepDepth), map_of(x.c, x.m, x.k, x.c_pitch, kGroupRows));
    LANEWORK_CHECK(cudaGetLastError());
}
#else
template <class T>
void launch(const MatmulArgs<T>&, cudaStream_t) {}  // refused
#endif
}  // namespace

LANEWORK_RUNG(
    matmul, persistent,
    {
        .climbs_from = "warp_specialized",
        .lesson = "Blocks stay and take tile after tile: writing, fetching and multiplying overlap, in pairs that "
                  "share what they fetch.",
        .launch = {launch<float16>, launch<bfloat16>},
        .refuses = refuse_without_hopper,
        .fits = {rows_on_16_bytes<float16>, rows_on_16_bytes<bfloat16>},
        .only = kRowsOn16Bytes,
    });
// mends: few_blocks
