// Every lane has a column of counters of its own: counter b of lane l lies in bank l, whatever b is. A warp's 32
// additions never meet, so neither uniform nor skewed bytes cost more than one pass through shared memory; and sixteen
// bytes come with each load. Several warps share the columns, which is why the additions are atomic.
#include "ops/histogram/counting.cuh"

namespace {
constexpr struct {
    int block = 1024;
    int blocks_per_processor = 2;
    int copies = 2;     // of the 32 columns, which warps of a block take in turn: fewer of them wait for one counter
    int in_flight = 2;  // 16-byte loads per thread
} kTuning;

constexpr int kTile = kTuning.block * kTuning.in_flight;  // packs that a block reads at a time
constexpr int kCopy = kBins * kWarp;                      // counters
constexpr unsigned kCounterBytes = sizeof(unsigned);
constexpr int kSharedBytes = kTuning.copies * kCopy * static_cast<int>(kCounterBytes);

// A byte's row of counters is 128 bytes long, so its offset is the byte shifted by 7: one shift and one mask take it
// out of a word, and the mask leaves the low bits for the lane's column.
constexpr int kRowShift = 7;
constexpr unsigned kRowMask = 0xFFU << kRowShift;
static_assert(kWarp * kCounterBytes == 1U << kRowShift);

/// The sum of a row: one bin's counters of all lanes and copies. Each lane begins at its own column, so that the 32
/// rows that a warp sums are read from 32 banks.
__device__ unsigned row_sum(const unsigned* columns, int bin) {
    unsigned sum = 0;
#pragma unroll 8
    for (unsigned i = 0; i < kTuning.copies * kWarp; ++i)
        sum += columns[i / kWarp * kCopy + bin * kWarp + (threadIdx.x + i) % kWarp];
    return sum;
}

// A counter counts a 32nd of the bytes of a block at most: more than 2^32 of them would not fit a device's memory.
__global__ void __launch_bounds__(kTuning.block, kTuning.blocks_per_processor)
    vectorized(const std::uint8_t* in, unsigned long long* counts, std::int64_t n) {
    extern __shared__ unsigned columns[];
    for (int i = threadIdx.x; i < kTuning.copies * kCopy; i += kTuning.block) columns[i] = 0;
    __syncthreads();

    const unsigned mine = (threadIdx.x / kWarp % kTuning.copies * kCopy + threadIdx.x % kWarp) * kCounterBytes;
    char* const counters = reinterpret_cast<char*>(columns);
    const auto count = [counters, mine](unsigned row) {
        atomicAdd(reinterpret_cast<unsigned*>(counters + (mine | row)), 1U);
    };
    const auto count_word = [&count](unsigned word) {
        count(word << kRowShift & kRowMask);
        count(word >> (8 - kRowShift) & kRowMask);
        count(word >> (16 - kRowShift) & kRowMask);
        count(word >> (24 - kRowShift) & kRowMask);
    };
    const auto count_pack = [&count_word](const uint4& pack) {
        count_word(pack.x);
        count_word(pack.y);
        count_word(pack.z);
        count_word(pack.w);
    };
    const Packed bytes = in_packs(in, n);
    const std::int64_t step = std::int64_t{gridDim.x} * kTile;
    std::int64_t first = std::int64_t{blockIdx.x} * kTile;
    for (; first + kTile <= bytes.packs; first += step) {
        uint4 held[kTuning.in_flight];
        load_packs(bytes.body + first, held);
#pragma unroll
        for (int k = 0; k < kTuning.in_flight; ++k) count_pack(held[k]);
    }
    if (first < bytes.packs)  // the last tile, which is not whole
        for (std::int64_t i = first + threadIdx.x; i < bytes.packs; i += kTuning.block) count_pack(bytes.body[i]);
    visit_loose(bytes, in, n, [&count](unsigned byte) { count(byte << kRowShift); });
    __syncthreads();

    for (int bin = threadIdx.x; bin < kBins; bin += kTuning.block)
        if (const unsigned sum = row_sum(columns, bin); sum > 0)
            atomicAdd(counts + bin, static_cast<unsigned long long>(sum));
}

void launch(const HistogramArgs& a, cudaStream_t stream) {
    clear_counts(a, stream);
    if (a.n == 0) return;
    allow_shared(vectorized, kSharedBytes);
    const unsigned blocks = staying_blocks(a.n, kTile * kPackBytes, kTuning.blocks_per_processor);
    vectorized<<<blocks, kTuning.block, kSharedBytes, stream>>>(a.in, atomic_counts(a), a.n);
}
}  // namespace

LANEWORK_RUNG(histogram, vectorized,
              {
                  .climbs_from = "warp_aggregated",
                  .lesson = "A column of counters per lane: 32 additions in 32 banks, whatever the bytes are.",
                  .launch = launch,
              });
// mends: narrow_vectors, instruction_bound
