// Rows with gaps between them: a thread takes the sixteen bytes between two boundaries of the memory, all at once where
// they belong to its row, and one by one at the row's ends.
#include "ops/histogram/columns.cuh"
#include "src/cuda/row_tiles.hpp"

namespace {
constexpr struct {
    int block = 1024;
    int blocks_per_processor = 2;
    int each = 2;  // packs of a thread at a time
} kTuning;

/// Boundaries of sixteen bytes that a row of so many bytes can lie between, wherever it begins.
std::int64_t most_packs(std::int64_t bytes) { return ceil_div(bytes + kPackBytes - 1, std::int64_t{kPackBytes}); }

/// Counts those bytes of [begin, end) that lie in the pack.
__device__ void count_part(const LaneColumn& count, const std::uint8_t* pack, const std::uint8_t* begin,
                           const std::uint8_t* end) {
    if (pack >= begin && pack + kPackBytes <= end) return count.pack(*reinterpret_cast<const uint4*>(pack));
    const std::uint8_t* const last = pack + kPackBytes < end ? pack + kPackBytes : end;
    for (const std::uint8_t* byte = pack > begin ? pack : begin; byte < last; ++byte) count.byte(*byte);
}

// A counter counts a 32nd of the bytes of a block at most: more than 2^32 of them would not fit a device's memory.
__global__ void __launch_bounds__(kTuning.block) rows(const std::uint8_t* in, unsigned long long* counts,
                                                      std::int64_t cols, std::int64_t pitch, const RowTiles tiles) {
    extern __shared__ unsigned columns[];
    clear_columns(columns);
    const LaneColumn count(columns);
    for_each_tile<kTuning.block, kTuning.each>(tiles, [&](const auto& tile) {
#pragma unroll
        for (int k = 0; k < kTuning.each; ++k) {
            if (!tile.has(k)) break;
            const std::int64_t row = tile.row(k), pack = tile.index(k) - row * tiles.cols;
            const std::uint8_t *const begin = in + row * pitch, *const end = begin + cols;
            const std::uint8_t* const packs = begin - reinterpret_cast<std::uintptr_t>(begin) % kPackBytes;
            count_part(count, packs + pack * kPackBytes, begin, end);
        }
    });
    add_columns(columns, counts);
}

void launch(const HistogramArgs& a, cudaStream_t stream) {
    clear_counts(a, stream);
    if (a.n == 0) return;
    allow_shared(rows, kColumnBytes);
    const std::int64_t packs = most_packs(a.cols);
    const RowTiles tiles = row_tiles(a.n / a.cols * packs, packs);
    const unsigned blocks = staying_blocks(tiles.n, kTuning.block * kTuning.each, kTuning.blocks_per_processor);
    rows<<<blocks, kTuning.block, kColumnBytes, stream>>>(a.in, atomic_counts(a), a.cols, a.pitch, tiles);
}
}  // namespace

LANEWORK_RUNG(histogram, rows,
              {
                  .climbs_from = "shared_private",
                  .lesson = "Rows with a pitch: whole packs within a row, single bytes at its ends, columns per lane.",
                  .launch = launch,
              });
