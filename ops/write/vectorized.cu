// Sixteen bytes per store and four stores per thread: a warp's store is four whole 128-byte lines.
#include "ops/write/operation.hpp"

namespace {
constexpr int kThreads = 256;
constexpr int kStores = 4;                  // 16-byte stores per thread
constexpr int kPacks = kThreads * kStores;  // 16-byte packs that a block writes
constexpr int kWordsPerPack = 4;

__device__ std::int32_t word(std::uint32_t start, std::int64_t i) {
    return static_cast<std::int32_t>(start + static_cast<std::uint32_t>(i));
}

__device__ int4 pack_of(std::uint32_t start, std::int64_t pack) {
    const std::int64_t i = pack * kWordsPerPack;
    return make_int4(word(start, i), word(start, i + 1), word(start, i + 2), word(start, i + 3));
}

__global__ void vectorized(const std::int32_t* start, std::int32_t* out, std::int64_t words) {
    const auto from = static_cast<std::uint32_t>(*start);
    const std::int64_t packs = words / kWordsPerPack;
    int4* const to = reinterpret_cast<int4*>(out);
    const std::int64_t first = std::int64_t{blockIdx.x} * kPacks + threadIdx.x;
    if (first - threadIdx.x + kPacks <= packs) {
#pragma unroll
        for (int k = 0; k < kStores; ++k) to[first + k * kThreads] = pack_of(from, first + k * kThreads);
        return;
    }
    for (std::int64_t pack = first; pack < packs; pack += kThreads) to[pack] = pack_of(from, pack);
    const std::int64_t rest = packs * kWordsPerPack + threadIdx.x;
    if (blockIdx.x == gridDim.x - 1 && rest < words) out[rest] = word(from, rest);
}

void launch(const WriteArgs& a, cudaStream_t stream) {
    if (a.words == 0) return;
    // The last block is never whole, so it is the one that also writes the words after the last pack.
    const std::int64_t blocks = a.words / (kPacks * kWordsPerPack) + 1;
    vectorized<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(a.start, a.out, a.words);
}
}  // namespace

LANEWORK_RUNG(write, vectorized,
              {
                  .climbs_from = "coalesced",
                  .lesson = "16 bytes per store: a quarter of the instructions for the same lines.",
                  .launch = launch,
              });
// mends: narrow_vectors
