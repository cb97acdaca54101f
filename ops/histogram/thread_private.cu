// Counters that nobody else touches need no atomics: a thread loads, adds one and stores. Sixteen bits each, the 256
// counters of 32 threads fill 16 KiB; as many warps run as fit. Two counters of a thread share a word of its own bank.
#include <algorithm>

#include "ops/histogram/counting.cuh"

namespace {
constexpr struct {
    int most_warps = 14;  // 224 KiB of counters
    int in_flight = 4;    // 16-byte loads per thread: few threads must ask for many bytes
} kTuning;

constexpr int kWords = kBins / 2;           // of a thread: two 16-bit counters each
constexpr int kWarpWords = kWords * kWarp;  // word w of lane l is at w × 32 + l
constexpr int kWarpBytes = kWarpWords * 4;
constexpr std::int64_t kMostPacks = 65535 / kPackBytes - 1;  // a thread's counters hold these and two loose bytes

/// Where the counter of a byte is, in 16-bit steps from the thread's first.
__device__ unsigned slot(unsigned byte) { return byte / 2 * (2 * kWarp) + byte % 2; }

/// Both loads come before both stores, so that one thread has two additions on their way. Where the bytes are equal
/// the second store holds both.
__device__ void count_pair(std::uint16_t* counters, unsigned first, unsigned second) {
    std::uint16_t *const a = counters + slot(first), *const b = counters + slot(second);
    const unsigned to_a = *a, to_b = *b;
    *a = static_cast<std::uint16_t>(to_a + 1);
    *b = static_cast<std::uint16_t>(to_b + (first == second ? 2 : 1));
}

__device__ void count_word(std::uint16_t* counters, unsigned word) {
    count_pair(counters, word & 0xFF, word >> 8 & 0xFF);
    count_pair(counters, word >> 16 & 0xFF, word >> 24);
}

__device__ void count_pack(std::uint16_t* counters, const uint4& pack) {
    count_word(counters, pack.x);
    count_word(counters, pack.y);
    count_word(counters, pack.z);
    count_word(counters, pack.w);
}

/// Adds the counters of one word over all threads to the two results; each lane begins in a bank of its own.
__device__ void add_word(const unsigned* words, unsigned warps, int word, unsigned long long* counts) {
    unsigned low = 0, high = 0;
#pragma unroll 8
    for (unsigned i = 0; i < warps * kWarp; ++i) {
        const unsigned both = words[i / kWarp * kWarpWords + word * kWarp + (threadIdx.x + i) % kWarp];
        low += both & 0xFFFF;
        high += both >> 16;
    }
    if (low > 0) atomicAdd(counts + 2 * word, static_cast<unsigned long long>(low));
    if (high > 0) atomicAdd(counts + 2 * word + 1, static_cast<unsigned long long>(high));
}

__global__ void __launch_bounds__(kTuning.most_warps* kWarp)
    thread_private(const std::uint8_t* in, unsigned long long* counts, std::int64_t n) {
    extern __shared__ uint4 counter_memory[];
    const unsigned warps = blockDim.x / kWarp;
    for (unsigned i = threadIdx.x; i < warps * kWarpBytes / sizeof(uint4); i += blockDim.x)
        counter_memory[i] = make_uint4(0, 0, 0, 0);
    __syncthreads();

    unsigned* const words = reinterpret_cast<unsigned*>(counter_memory);
    unsigned* const own = words + threadIdx.x / kWarp * kWarpWords + threadIdx.x % kWarp;
    std::uint16_t* const counters = reinterpret_cast<std::uint16_t*>(own);
    const Packed bytes = in_packs(in, n);
    const std::int64_t tile = std::int64_t{blockDim.x} * kTuning.in_flight, step = tile * gridDim.x;
    std::int64_t first = blockIdx.x * tile;
    uint4 held[kTuning.in_flight];
    if (first + tile <= bytes.packs) load_packs(bytes.body + first, held);
    for (; first + tile <= bytes.packs; first += step) {
        uint4 next[kTuning.in_flight] = {};
        if (first + step + tile <= bytes.packs) load_packs(bytes.body + first + step, next);
#pragma unroll
        for (int k = 0; k < kTuning.in_flight; ++k) {
            count_pack(counters, held[k]);
            held[k] = next[k];
        }
    }
    if (first < bytes.packs)  // the last tile, which is not whole
        for (std::int64_t i = first + threadIdx.x; i < bytes.packs; i += blockDim.x)
            count_pack(counters, bytes.body[i]);
    visit_loose(bytes, in, n, [counters](unsigned byte) { ++counters[slot(byte)]; });
    __syncthreads();
    for (int word = threadIdx.x; word < kWords; word += static_cast<int>(blockDim.x))
        add_word(words, warps, word, counts);
}

/// Warps of a block: as many as have room for their counters.
int fitting_warps() {
    const int fitting = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) / kWarpBytes;
    return fitting < kTuning.most_warps ? fitting : kTuning.most_warps;
}

void launch(const HistogramArgs& a, cudaStream_t stream) {
    clear_counts(a, stream);
    if (a.n == 0) return;
    const int warps = fitting_warps();
    allow_shared(thread_private, warps * kWarpBytes);
    const std::int64_t threads = std::int64_t{warps} * kWarp;
    const auto least = static_cast<unsigned>(ceil_div(a.n, threads * kMostPacks * kPackBytes));
    const unsigned blocks = std::max(staying_blocks(a.n, threads * kTuning.in_flight * kPackBytes, 1), least);
    thread_private<<<blocks, static_cast<unsigned>(threads), static_cast<std::size_t>(warps) * kWarpBytes, stream>>>(
        a.in, atomic_counts(a), a.n);
}
}  // namespace

LANEWORK_RUNG(histogram, thread_private,
              {
                  .climbs_from = "shared_private",
                  .lesson = "Sixteen-bit counters of a thread's own: plain loads and stores, no atomics, no conflicts.",
                  .launch = launch,
                  .fits = OneRow<histogram_signature>::fits,
                  .only = kRowsTouch,
              });
// mends: contended_atomics
