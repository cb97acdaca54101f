// One word per thread, folded in the warp, then in the block; one atomic per block reaches memory.
#include "ops/read/operation.hpp"
#include "src/cuda/check.hpp"

namespace {
constexpr int kThreads = 256;
constexpr unsigned kAllLanes = 0xFFFFFFFF;

__global__ void coalesced(const std::int32_t* in, std::int32_t* out, std::int64_t words) {
    __shared__ std::int32_t block_xor;
    if (threadIdx.x == 0) block_xor = 0;
    __syncthreads();
    const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    std::int32_t mine = i < words ? in[i] : 0;
    for (int lanes = 16; lanes > 0; lanes /= 2) mine ^= __shfl_down_sync(kAllLanes, mine, lanes);
    if (threadIdx.x % 32 == 0) atomicXor(&block_xor, mine);
    __syncthreads();
    if (threadIdx.x == 0) atomicXor(out, block_xor);
}

void launch(const ReadArgs& a, cudaStream_t stream) {
    LANEWORK_CHECK(cudaMemsetAsync(a.out, 0, sizeof(*a.out), stream));
    if (a.words == 0) return;
    coalesced<<<static_cast<unsigned>(ceil_div(a.words, kThreads)), kThreads, 0, stream>>>(a.in, a.out, a.words);
}
}  // namespace

LANEWORK_RUNG(read, coalesced,
              {
                  .lesson = "A thread that reads one word spends more time starting and folding than reading.",
                  .launch = launch,
              });
