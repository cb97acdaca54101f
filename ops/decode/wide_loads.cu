// What keeps memory busy is how much is asked of it at a time. Where rows of v5 are many, each thread asks for 16 bytes
// of a tile. Where candidates are few, several threads share each. Many columns of v8 are read as they should be
// anyway.
#include "ops/decode/each.cuh"
#include "ops/decode/row_tile.cuh"
#include "ops/decode/sharing.cuh"

namespace {
/// Fewer candidates than these leave threads idle when each tile has a warp, or each column a thread. Measured: of four
/// images of 8400 columns sharing is faster on a device of 132 processors, of six a thread for each.
constexpr std::int64_t kFewRows = 1 << 14, kFewColumns = 40'000;

template <class Word>
__global__ void __launch_bounds__(kWarp* kTileWarps) wide_tiles(DecodeArgs a) {
    extern __shared__ float4 tiles[];
    decode_tiles<Word>(a, reinterpret_cast<float*>(tiles));
}

__global__ void __launch_bounds__(kSharingLanes* kSharingWarps) shared_rows(DecodeArgs a) { decode_shared_rows(a); }
__global__ void __launch_bounds__(kSharingLanes* kSharingWarps) shared_columns(DecodeArgs a) {
    decode_shared_columns(a);
}

__global__ void columns(DecodeArgs a) { decode_each(a); }

bool begins_at_vectors(const float* values) { return reinterpret_cast<std::uintptr_t>(values) % sizeof(float4) == 0; }

/// 32 rows are a whole number of vectors, so that only the first one's address counts.
void launch_rows(const DecodeArgs& a, cudaStream_t stream) {
    const dim3 sharing(kSharingLanes, kSharingWarps), tiling(kWarp, kTileWarps);
    if (!is_tiled(a) || a.images * a.n < kFewRows)
        shared_rows<<<decode_grid(a, kSharingWarps), sharing, 0, stream>>>(a);
    else if (begins_at_vectors(a.values))
        wide_tiles<float4><<<tile_blocks(a), tiling, tile_bytes(a), stream>>>(a);
    else
        wide_tiles<float><<<tile_blocks(a), tiling, tile_bytes(a), stream>>>(a);
}

void launch_columns(const DecodeArgs& a, cudaStream_t stream) {
    const dim3 sharing(kSharingLanes, kSharingWarps);
    if (a.images * a.n < kFewColumns)
        shared_columns<<<decode_grid(a, kSharingLanes), sharing, 0, stream>>>(a);
    else
        columns<<<decode_grid(a, kDecodeBlock), kDecodeBlock, 0, stream>>>(a);
}

void launch(const DecodeArgs& a, cudaStream_t stream) {
    if (a.n == 0 || a.images == 0) return;
    if (a.form == HeadForm::v5)
        launch_rows(a, stream);
    else
        launch_columns(a, stream);
}
}  // namespace

LANEWORK_RUNG(decode, wide_loads,
              {
                  .climbs_from = "shared_tile",
                  .lesson = "Ask for 16 bytes a thread where rows are many; share each candidate where they are few.",
                  .launch = launch,
              });
// mends: narrow_vectors
