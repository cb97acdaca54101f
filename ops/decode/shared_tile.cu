// A tile of v5's rows is one run of memory: a block copies it to shared memory as it lies, and its threads then walk
// along rows that cost nothing to be apart. v8's columns need no tile.
#include "ops/decode/grid.hpp"
#include "ops/decode/scores.hpp"

namespace {
constexpr int kTileBytes = 48 << 10;  // what every device gives a block unasked

/// Candidates of a block: as many as fit; none where a row is larger than a tile.
int tile_rows(const DecodeArgs& a) {
    const std::int64_t fit = kTileBytes / static_cast<std::int64_t>(sizeof(float)) / (a.row() | 1);
    return static_cast<int>(fit < kDecodeBlock ? fit : kDecodeBlock);
}

/// Rows are an odd number of words apart, so that those of a warp begin in different banks.
__global__ void shared_tile(DecodeArgs a, int rows) {
    extern __shared__ float tile[];
    const std::int64_t first = std::int64_t{blockIdx.x} * rows, row = a.row(), pitch = row | 1;
    const auto present = a.n - first < rows ? a.n - first : std::int64_t{rows};
    for (std::int64_t image = blockIdx.y; image < a.images; image += gridDim.y) {
        const float* const from = a.values + (image * a.n + first) * row;
        __syncthreads();
        for (unsigned i = threadIdx.x; i < present * row; i += kDecodeBlock)
            tile[i / static_cast<unsigned>(row) * pitch + i % static_cast<unsigned>(row)] = from[i];
        __syncthreads();
        if (threadIdx.x >= present) continue;
        const float* const own = tile + threadIdx.x * pitch;
        const float box[4] = {own[0], own[1], own[2], own[3]};
        Scored best{own[5], 0};
        for (int c = 1; c < a.classes; ++c) best = better_of_later(best, own[5 + c], c);
        write_decoded(a, image * a.n + first + threadIdx.x, box, own[4], best);
    }
}

__global__ void columns(DecodeArgs a) {
    const std::int64_t index = std::int64_t{blockIdx.x} * kDecodeBlock + threadIdx.x;
    if (index >= a.n) return;
    for (std::int64_t image = blockIdx.y; image < a.images; image += gridDim.y) decode_one(a, image, index);
}

void launch(const DecodeArgs& a, cudaStream_t stream) {
    if (a.n == 0 || a.images == 0) return;
    const int rows = a.form == HeadForm::v5 ? tile_rows(a) : 0;
    if (rows == 0) {
        columns<<<decode_grid(a, kDecodeBlock), kDecodeBlock, 0, stream>>>(a);
        return;
    }
    const auto bytes = static_cast<std::size_t>(rows) * static_cast<std::size_t>(a.row() | 1) * sizeof(float);
    shared_tile<<<decode_grid(a, rows), kDecodeBlock, bytes, stream>>>(a, rows);
}
}  // namespace

LANEWORK_RUNG(decode, shared_tile,
              {
                  .climbs_from = "naive",
                  .lesson = "Copy rows to shared memory as they lie: v5 is read as v8 is, line after line.",
                  .launch = launch,
              });
