// finding: out_of_bounds at line 10
// The launch asks for the bytes of half a block's elements.
#include "tests/wrong/reduce/block_sums.hpp"

namespace {
__global__ void half_the_shared_memory(const std::int32_t* in, std::int32_t* out, std::int64_t n) {
    extern __shared__ std::int32_t sums[];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    const std::int32_t mine = i < n ? in[i] : 0;
    sums[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] = plus(sums[threadIdx.x], sums[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

void launch(const ReduceArgs<std::int32_t>& a, cudaStream_t stream) {
    constexpr std::size_t kBytes = kBlock / 2 * sizeof(std::int32_t);  // kBlock * sizeof would be right
    in_passes(a, [=](const std::int32_t* in, std::int32_t* out, std::int64_t n, unsigned blocks) {
        half_the_shared_memory<<<blocks, kBlock, kBytes, stream>>>(in, out, n);
    });
}
}  // namespace

LANEWORK_RUNG(reduce, half_the_shared_memory,
              {
                  .lesson = "Never: the third launch argument is in bytes, and for every thread of the block.",
                  .launch = launch,
                  .workspace = workspace,
              });
