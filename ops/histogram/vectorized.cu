// Every lane has a column of counters of its own: counter b of lane l lies in bank l, whatever b is. A warp's 32
// additions never meet, so neither uniform nor skewed bytes cost more than one pass through shared memory; and sixteen
// bytes come with each load. Several warps share the columns, which is why the additions are atomic.
#include "ops/histogram/columns.cuh"

namespace {
constexpr struct {
    int block = 1024;
    int blocks_per_processor = 2;
    int in_flight = 2;  // 16-byte loads per thread
} kTuning;

constexpr int kTile = kTuning.block * kTuning.in_flight;  // packs that a block reads at a time

// A counter counts a 32nd of the bytes of a block at most: more than 2^32 of them would not fit a device's memory.
__global__ void __launch_bounds__(kTuning.block, kTuning.blocks_per_processor)
    vectorized(const std::uint8_t* in, unsigned long long* counts, std::int64_t n) {
    extern __shared__ unsigned columns[];
    clear_columns(columns);
    const LaneColumn count(columns);
    const Packed bytes = in_packs(in, n);
    const std::int64_t step = std::int64_t{gridDim.x} * kTile;
    std::int64_t first = std::int64_t{blockIdx.x} * kTile;
    for (; first + kTile <= bytes.packs; first += step) {
        uint4 held[kTuning.in_flight];
        load_packs(bytes.body + first, held);
#pragma unroll
        for (int k = 0; k < kTuning.in_flight; ++k) count.pack(held[k]);
    }
    if (first < bytes.packs)  // the last tile, which is not whole
        for (std::int64_t i = first + threadIdx.x; i < bytes.packs; i += kTuning.block) count.pack(bytes.body[i]);
    visit_loose(bytes, in, n, [&count](unsigned byte) { count.byte(byte); });
    add_columns(columns, counts);
}

void launch(const HistogramArgs& a, cudaStream_t stream) {
    clear_counts(a, stream);
    if (a.n == 0) return;
    allow_shared(vectorized, kColumnBytes);
    const unsigned blocks = staying_blocks(a.n, kTile * kPackBytes, kTuning.blocks_per_processor);
    vectorized<<<blocks, kTuning.block, kColumnBytes, stream>>>(a.in, atomic_counts(a), a.n);
}
}  // namespace

LANEWORK_RUNG(histogram, vectorized,
              {
                  .climbs_from = "warp_aggregated",
                  .lesson = "A column of counters per lane: 32 additions in 32 banks, whatever the bytes are.",
                  .launch = launch,
                  .fits = OneRow<histogram_signature>::fits,
                  .only = kRowsTouch,
              });
// mends: narrow_vectors, instruction_bound
