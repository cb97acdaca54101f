// Several threads for each candidate: a single image then fills a device, and a long row is read as it lies. No score
// passes through shared memory, only the best of each part does.
#pragma once

#include "ops/decode/grid.hpp"
#include "ops/decode/scores.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kSharingLanes = 32;
inline constexpr int kSharingWarps = 8;

__device__ inline Scored best_of_warp(Scored best) {
    for (unsigned step = kSharingLanes / 2; step > 0; step /= 2)
        best = better(best, {__shfl_xor_sync(~0U, best.score, step), __shfl_xor_sync(~0U, best.label, step)});
    return best;
}

/// Of v5, for a grid of so many rows a block: a warp for each row, whose lanes take every 32nd number.
__device__ inline void decode_shared_rows(const DecodeArgs& a) {
    const auto lane = static_cast<int>(threadIdx.x);
    const std::int64_t index = std::int64_t{blockIdx.x} * kSharingWarps + threadIdx.y;
    if (index >= a.n) return;
    for (std::int64_t image = blockIdx.y; image < a.images; image += gridDim.y) {
        const float* const row = a.values + (image * a.n + index) * a.row();
        const float head = lane < 5 ? row[lane] : 0;
        Scored best = kWorst;
#pragma unroll 4
        for (int c = lane; c < a.classes; c += kSharingLanes) best = better(best, {row[5 + c], c});
        best = best_of_warp(best);
        const float box[4] = {__shfl_sync(~0U, head, 0), __shfl_sync(~0U, head, 1), __shfl_sync(~0U, head, 2),
                              __shfl_sync(~0U, head, 3)};
        const float objectness = __shfl_sync(~0U, head, 4);
        if (lane == 0) write_decoded(a, image * a.n + index, box, objectness, best);
    }
}

/// Of v8, for a grid of 32 columns a block: a warp takes every eighth class of all of them, and four of them fetch a
/// number of the box.
__device__ inline void decode_shared_columns(const DecodeArgs& a) {
    __shared__ Scored parts[kSharingWarps][kSharingLanes];
    __shared__ float boxes[4][kSharingLanes];
    const auto part = static_cast<int>(threadIdx.y), lane = static_cast<int>(threadIdx.x);
    const std::int64_t index = std::int64_t{blockIdx.x} * kSharingLanes + lane;
    for (std::int64_t image = blockIdx.y; image < a.images; image += gridDim.y) {
        const float* const column = a.values + image * a.row() * a.n + index;
        Scored best = kWorst;
        float number = 0;
        if (index < a.n) {
            if (part < 4) number = column[part * a.n];
#pragma unroll 4
            for (int c = part; c < a.classes; c += kSharingWarps) best = better(best, {column[(4 + c) * a.n], c});
        }
        __syncthreads();
        parts[part][lane] = best;
        if (part < 4) boxes[part][lane] = number;
        __syncthreads();
        if (part != 0 || index >= a.n) continue;
        for (int other = 1; other < kSharingWarps; ++other) best = better(best, parts[other][lane]);
        const float box[4] = {boxes[0][lane], boxes[1][lane], boxes[2][lane], boxes[3][lane]};
        write_decoded(a, image * a.n + index, box, 1, best);
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
