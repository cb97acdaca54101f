// What keeps memory busy is how much is asked of it at a time. Where candidates are many, each thread asks for 16
// bytes: four columns of v8, or a part of the tile of v5. Where they are few, several threads share each.
#include "ops/decode/row_tile.cuh"
#include "ops/decode/sharing.cuh"

namespace {
/// Fewer candidates than these leave threads idle on a device of a hundred processors when each tile has a warp, or
/// each column a fraction of a thread.
constexpr std::int64_t kFewRows = 1 << 14, kFewColumns = 1 << 17;
constexpr int kColumnThreads = 64;  // so few that the last block of an image is a small part of it
constexpr int kColumnBlocks = 16;   // on a processor: with 64 registers a thread

template <class Word>
__global__ void __launch_bounds__(kWarp* kTileWarps) wide_tiles(DecodeArgs a) {
    extern __shared__ float4 tiles[];
    decode_tiles<Word>(a, reinterpret_cast<float*>(tiles));
}

/// As many columns for each thread as a Word has numbers.
template <class Word>
__global__ void __launch_bounds__(kColumnThreads, kColumnBlocks) wide_columns(DecodeArgs a) {
    constexpr int kColumns = sizeof(Word) / sizeof(float);
    const std::int64_t index = (std::int64_t{blockIdx.x} * kColumnThreads + threadIdx.x) * kColumns;
    if (index >= a.n) return;
    struct Numbers {
        alignas(Word) float of[kColumns];
    };
    for (std::int64_t image = blockIdx.y; image < a.images; image += gridDim.y) {
        const float* const column = a.values + image * a.row() * a.n + index;
        const auto load = [&](std::int64_t row) {
            Numbers numbers;
            *reinterpret_cast<Word*>(numbers.of) = *reinterpret_cast<const Word*>(column + row * a.n);
            return numbers;
        };
        const Numbers first = load(4);
        Scored best[kColumns];
#pragma unroll
        for (int k = 0; k < kColumns; ++k) best[k] = {first.of[k], 0};
#pragma unroll 8
        for (int c = 1; c < a.classes; ++c) {
            const Numbers scores = load(4 + c);
#pragma unroll
            for (int k = 0; k < kColumns; ++k) best[k] = better_of_later(best[k], scores.of[k], c);
        }
        const Numbers x = load(0), y = load(1), width = load(2), height = load(3);
#pragma unroll
        for (int k = 0; k < kColumns; ++k) {
            const float box[4] = {x.of[k], y.of[k], width.of[k], height.of[k]};
            write_decoded(a, image * a.n + index + k, box, 1, best[k]);
        }
    }
}

__global__ void __launch_bounds__(kSharingLanes* kSharingWarps) shared_rows(DecodeArgs a) { decode_shared_rows(a); }
__global__ void __launch_bounds__(kSharingLanes* kSharingWarps) shared_columns(DecodeArgs a) {
    decode_shared_columns(a);
}

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
    else if (begins_at_vectors(a.values) && a.n % 4 == 0)
        wide_columns<float4><<<decode_grid(a, 4 * kColumnThreads), kColumnThreads, 0, stream>>>(a);
    else
        wide_columns<float><<<decode_grid(a, kColumnThreads), kColumnThreads, 0, stream>>>(a);
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
                  .lesson = "Ask for 16 bytes a thread where candidates are many; share each where they are few.",
                  .launch = launch,
              });
