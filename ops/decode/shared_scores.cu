// Several threads share the scores of a candidate, so that a single image fills a device. Of v5 a warp takes a row and
// reads it as it lies; of v8 the warps of a block take every eighth class of 32 columns. No score passes through shared
// memory: only the best of each part do.
#include "ops/decode/grid.hpp"
#include "ops/decode/scores.hpp"

namespace {
constexpr int kWarp = 32;
constexpr int kWarps = 8;

__device__ Scored best_of_warp(Scored best) {
    for (unsigned step = kWarp / 2; step > 0; step /= 2)
        best = better(best, {__shfl_xor_sync(~0U, best.score, step), __shfl_xor_sync(~0U, best.label, step)});
    return best;
}

/// A warp for each row: its lanes take every 32nd number.
__global__ void __launch_bounds__(kWarp* kWarps) rows(DecodeArgs a) {
    const auto lane = static_cast<int>(threadIdx.x);
    const std::int64_t index = std::int64_t{blockIdx.x} * kWarps + threadIdx.y;
    if (index >= a.n) return;
    for (std::int64_t image = blockIdx.y; image < a.images; image += gridDim.y) {
        const float* const row = a.values + (image * a.n + index) * a.row();
        const float head = lane < 5 ? row[lane] : 0;
        Scored best = kWorst;
#pragma unroll 4
        for (int c = lane; c < a.classes; c += kWarp) best = better(best, {row[5 + c], c});
        best = best_of_warp(best);
        const float box[4] = {__shfl_sync(~0U, head, 0), __shfl_sync(~0U, head, 1), __shfl_sync(~0U, head, 2),
                              __shfl_sync(~0U, head, 3)};
        const float objectness = __shfl_sync(~0U, head, 4);
        if (lane == 0) write_decoded(a, image * a.n + index, box, objectness, best);
    }
}

/// 32 columns for each block: a warp takes every eighth class of all of them.
__global__ void __launch_bounds__(kWarp* kWarps) columns(DecodeArgs a) {
    __shared__ Scored parts[kWarps][kWarp];
    const auto part = static_cast<int>(threadIdx.y);
    const std::int64_t index = std::int64_t{blockIdx.x} * kWarp + threadIdx.x;
    for (std::int64_t image = blockIdx.y; image < a.images; image += gridDim.y) {
        const float* const column = a.values + image * a.row() * a.n + index;
        Scored best = kWorst;
        if (index < a.n)
#pragma unroll 4
            for (int c = part; c < a.classes; c += kWarps) best = better(best, {column[(4 + c) * a.n], c});
        __syncthreads();
        parts[part][threadIdx.x] = best;
        __syncthreads();
        if (part != 0 || index >= a.n) continue;
        const float box[4] = {column[0], column[a.n], column[2 * a.n], column[3 * a.n]};
        for (int other = 1; other < kWarps; ++other) best = better(best, parts[other][threadIdx.x]);
        write_decoded(a, image * a.n + index, box, 1, best);
    }
}

void launch(const DecodeArgs& a, cudaStream_t stream) {
    if (a.n == 0 || a.images == 0) return;
    const dim3 block(kWarp, kWarps);
    if (a.form == HeadForm::v5)
        rows<<<decode_grid(a, kWarps), block, 0, stream>>>(a);
    else
        columns<<<decode_grid(a, kWarp), block, 0, stream>>>(a);
}
}  // namespace

LANEWORK_RUNG(
    decode, shared_scores,
    {
        .climbs_from = "shared_tile",
        .lesson = "Share a candidate's scores among threads: every line is read once, and one image is enough.",
        .launch = launch,
    });
