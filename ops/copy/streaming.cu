// Words that are used once need no place in the cache: evict-first loads and stores leave it to others.
#include "ops/copy/operation.hpp"

namespace {
constexpr int kThreads = 512;
constexpr int kInFlight = 2;                  // independent 16-byte loads per thread
constexpr int kPacks = kThreads * kInFlight;  // 16-byte packs that a block copies
constexpr int kWordsPerPack = 4;

__global__ void streaming(const std::int32_t* in, std::int32_t* out, std::int64_t words) {
    const std::int64_t packs = words / kWordsPerPack;
    const int4* const from = reinterpret_cast<const int4*>(in);
    int4* const to = reinterpret_cast<int4*>(out);
    const std::int64_t first = std::int64_t{blockIdx.x} * kPacks + threadIdx.x;
    if (first - threadIdx.x + kPacks <= packs) {
        int4 held[kInFlight];
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) held[k] = __ldcs(from + first + k * kThreads);
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) __stcs(to + first + k * kThreads, held[k]);
        return;
    }
    for (std::int64_t pack = first; pack < packs; pack += kThreads) __stcs(to + pack, __ldcs(from + pack));
    const std::int64_t rest = packs * kWordsPerPack + threadIdx.x;
    if (blockIdx.x == gridDim.x - 1 && rest < words) out[rest] = in[rest];
}

void launch(const CopyArgs& a, cudaStream_t stream) {
    // The last block is never whole, so it is the one that also copies the words after the last pack.
    const std::int64_t blocks = a.words / (kPacks * kWordsPerPack) + 1;
    if (a.words == 0) return;
    streaming<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(a.in, a.out, a.words);
}
}  // namespace

LANEWORK_RUNG(copy, streaming,
              {
                  .climbs_from = "vectorized",
                  .lesson = "Data used once is marked evict-first, so that it does not push useful lines out of L2.",
                  .launch = launch,
              });
