// Rows of v5 that follow each other are one run of memory: warps copy it to shared memory as it lies, and their lanes
// then walk along rows that cost nothing to be apart. v8's columns need no tile.
#include "ops/decode/each.cuh"
#include "ops/decode/row_tile.cuh"

namespace {
__global__ void __launch_bounds__(kWarp* kTileWarps) shared_tile(DecodeArgs a) {
    extern __shared__ float tiles[];
    decode_tiles<float>(a, tiles);
}

/// A thread for each candidate, also where rows are too long for tiles.
__global__ void columns(DecodeArgs a) { decode_each(a); }

void launch(const DecodeArgs& a, cudaStream_t stream) {
    if (a.n == 0 || a.images == 0) return;
    if (is_tiled(a))
        shared_tile<<<tile_blocks(a), dim3(kWarp, kTileWarps), tile_bytes(a), stream>>>(a);
    else
        columns<<<decode_grid(a, kDecodeBlock), kDecodeBlock, 0, stream>>>(a);
}
}  // namespace

LANEWORK_RUNG(decode, shared_tile,
              {
                  .climbs_from = "naive",
                  .lesson = "Copy rows to shared memory as they lie: v5 is read as v8 is, line after line.",
                  .launch = launch,
              });
