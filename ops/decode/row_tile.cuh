// Rows of v5 in shared memory: 32 of them are one run of memory, which a warp copies as it lies; then each lane walks
// along a row of its own.
#pragma once

#include "ops/decode/grid.hpp"
#include "ops/decode/scores.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

constexpr int kWarp = 32;
inline constexpr int kTileWarps = 2;  // of a block, each with tiles of its own
/// Numbers of the longest row that is tiled: two tiles of those are the 48 KiB that every device gives a block unasked.
inline constexpr std::int64_t kLongestTiledRow = (48 << 10) / (kTileWarps * kWarp * static_cast<int>(sizeof(float)));

/// Copies to shared memory; the addresses are multiples of a word's bytes. Eight words are on their way for each lane.
template <class Word>
__device__ void copy_run(float* to, const float* from, int numbers) {
    constexpr int kAtOnce = 8, kNumbers = sizeof(Word) / sizeof(float);
    const int words = numbers / kNumbers, lane = static_cast<int>(threadIdx.x);
    for (int first = lane; first < words; first += kAtOnce * kWarp) {
        Word batch[kAtOnce];
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k)
            if (first + k * kWarp < words) batch[k] = reinterpret_cast<const Word*>(from)[first + k * kWarp];
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k)
            if (first + k * kWarp < words) reinterpret_cast<Word*>(to)[first + k * kWarp] = batch[k];
    }
    for (int i = words * kNumbers + lane; i < numbers; i += kWarp) to[i] = from[i];
}

/// The best class of this lane's row. Rows of an odd length begin in different banks; of an even one neighbouring lanes
/// begin with neighbouring classes, which are in different banks again.
__device__ inline Scored best_of_tiled_row(const float* scores, int classes, bool odd) {
    if (odd) {
        Scored best{scores[0], 0};
#pragma unroll 8
        for (int c = 1; c < classes; ++c) best = better_of_later(best, scores[c], c);
        return best;
    }
    Scored best = kWorst;
    int c = static_cast<int>(threadIdx.x) % classes;
    for (int k = 0; k < classes; ++k) {
        best = better(best, {scores[c], c});
        c = c + 1 == classes ? 0 : c + 1;
    }
    return best;
}

/// All rows of all images, 32 for each warp at a time. For a block of kTileWarps warps.
template <class Word>
__device__ void decode_tiles(const DecodeArgs& a, float* memory) {
    const auto row = static_cast<int>(a.row()), lane = static_cast<int>(threadIdx.x);
    float* const tile = memory + threadIdx.y * kWarp * row;
    const float* const own = tile + lane * row;
    const std::int64_t rows = a.images * a.n, step = std::int64_t{gridDim.x} * kTileWarps * kWarp;
    for (std::int64_t first = (std::int64_t{blockIdx.x} * kTileWarps + threadIdx.y) * kWarp; first < rows;
         first += step) {
        const int present = rows - first < kWarp ? static_cast<int>(rows - first) : kWarp;
        copy_run<Word>(tile, a.values + first * row, present * row);
        __syncwarp();
        if (lane < present) {
            const float box[4] = {own[0], own[1], own[2], own[3]};
            write_decoded(a, first + lane, box, own[4],
                          best_of_tiled_row(own + 5, static_cast<int>(a.classes), row % 2 == 1));
        }
        __syncwarp();
    }
}

inline bool is_tiled(const DecodeArgs& a) { return a.form == HeadForm::v5 && a.row() <= kLongestTiledRow; }
inline unsigned tile_blocks(const DecodeArgs& a) {
    constexpr std::int64_t kMostBlocks = 1 << 30;
    const std::int64_t blocks = ceil_div(a.images * a.n, std::int64_t{kTileWarps * kWarp});
    return static_cast<unsigned>(blocks < kMostBlocks ? blocks : kMostBlocks);
}
inline std::size_t tile_bytes(const DecodeArgs& a) {
    return sizeof(float) * kTileWarps * kWarp * static_cast<std::size_t>(a.row());
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
