// As many blocks as stay resident, each walking through the array: threads start and fold once, not once per tile.
#include <algorithm>

#include "ops/read/operation.hpp"
#include "src/cuda/resident_blocks.hpp"

namespace {
constexpr int kThreads = 512;
constexpr int kInFlight = 4;       // independent 16-byte loads per thread and step
constexpr int kBlocksPerUnit = 4;  // per multiprocessor: 2048 threads, all that it holds
constexpr int kWordsPerPack = 4;
constexpr unsigned kAllLanes = 0xFFFFFFFF;

__device__ std::int32_t folded(int4 pack) { return pack.x ^ pack.y ^ pack.z ^ pack.w; }

__global__ void grid_stride(const std::int32_t* in, std::int32_t* out, std::int64_t words) {
    __shared__ std::int32_t block_xor;
    if (threadIdx.x == 0) block_xor = 0;
    __syncthreads();

    const std::int64_t packs = words / kWordsPerPack, stride = std::int64_t{gridDim.x} * kThreads;
    const int4* const from = reinterpret_cast<const int4*>(in);
    const std::int64_t thread = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    std::int32_t mine = 0;
    std::int64_t pack = thread;
    for (; pack + (kInFlight - 1) * stride < packs; pack += kInFlight * stride) {
        int4 held[kInFlight];
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) held[k] = from[pack + k * stride];
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) mine ^= folded(held[k]);
    }
    for (; pack < packs; pack += stride) mine ^= folded(from[pack]);
    if (const std::int64_t rest = packs * kWordsPerPack + thread; rest < words) mine ^= in[rest];

    for (int lanes = 16; lanes > 0; lanes /= 2) mine ^= __shfl_down_sync(kAllLanes, mine, lanes);
    if (threadIdx.x % 32 == 0) atomicXor(&block_xor, mine);
    __syncthreads();
    if (threadIdx.x == 0) atomicXor(out, block_xor);
}

void launch(const ReadArgs& a, cudaStream_t stream) {
    LANEWORK_CHECK(cudaMemsetAsync(a.out, 0, sizeof(*a.out), stream));
    if (a.words == 0) return;
    const std::int64_t needed = ceil_div(a.words, kThreads * kWordsPerPack);
    const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(needed, resident_blocks(kBlocksPerUnit)));
    grid_stride<<<blocks, kThreads, 0, stream>>>(a.in, a.out, a.words);
}
}  // namespace

LANEWORK_RUNG(read, grid_stride,
              {
                  .climbs_from = "vectorized",
                  .lesson = "Resident blocks that stride through the array pay for starting and folding only once.",
                  .launch = launch,
              });
