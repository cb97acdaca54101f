// Four independent 16-byte loads per thread are on their way before the first is needed.
#include "ops/read/operation.hpp"
#include "src/cuda/check.hpp"

namespace {
constexpr int kThreads = 1024;                // few blocks: starting and folding are paid once for 64 KiB
constexpr int kInFlight = 4;                  // independent 16-byte loads per thread
constexpr int kPacks = kThreads * kInFlight;  // 16-byte packs that a block reads
constexpr int kWordsPerPack = 4;
constexpr unsigned kAllLanes = 0xFFFFFFFF;

__device__ std::int32_t folded(int4 pack) { return pack.x ^ pack.y ^ pack.z ^ pack.w; }

__global__ void vectorized(const std::int32_t* in, std::int32_t* out, std::int64_t words) {
    __shared__ std::int32_t block_xor;
    if (threadIdx.x == 0) block_xor = 0;
    __syncthreads();

    const std::int64_t packs = words / kWordsPerPack;
    const int4* const from = reinterpret_cast<const int4*>(in);
    const std::int64_t first = std::int64_t{blockIdx.x} * kPacks + threadIdx.x;
    std::int32_t mine = 0;
    if (first - threadIdx.x + kPacks <= packs) {
        int4 held[kInFlight];
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) held[k] = from[first + k * kThreads];
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) mine ^= folded(held[k]);
    } else {
        for (std::int64_t pack = first; pack < packs; pack += kThreads) mine ^= folded(from[pack]);
        const std::int64_t rest = packs * kWordsPerPack + threadIdx.x;
        if (rest < words) mine ^= in[rest];
    }

    for (int lanes = 16; lanes > 0; lanes /= 2) mine ^= __shfl_down_sync(kAllLanes, mine, lanes);
    if (threadIdx.x % 32 == 0) atomicXor(&block_xor, mine);
    __syncthreads();
    if (threadIdx.x != 0) return;
    if (gridDim.x == 1)
        *out = block_xor;
    else
        atomicXor(out, block_xor);
}

void launch(const ReadArgs& a, cudaStream_t stream) {
    // The last block is never whole, so it is the one that also reads the words after the last pack. A block that is
    // alone stores its result, which spares the launch that would zero the sum.
    const std::int64_t blocks = a.words / (kPacks * kWordsPerPack) + 1;
    if (blocks > 1) LANEWORK_CHECK(cudaMemsetAsync(a.out, 0, sizeof(*a.out), stream));
    vectorized<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(a.in, a.out, a.words);
}
}  // namespace

LANEWORK_RUNG(read, vectorized,
              {
                  .climbs_from = "coalesced",
                  .lesson = "16 bytes per access and four loads in flight per thread keep the memory system full.",
                  .launch = launch,
              });
// mends: narrow_vectors, few_loads_in_flight
