// finding: race at line 11
// The first thread reads the block's total while other warps still add to it.
#include "tests/wrong/reduce/block_sums.hpp"

namespace {
__global__ void total_read_too_early(const std::int32_t* in, std::int32_t* out, std::int64_t n) {
    __shared__ std::int32_t total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) atomicAdd(&total, in[i]);
    // Here __syncthreads() is missing.
    if (threadIdx.x == 0) out[blockIdx.x] = total;
}

void launch(const ReduceArgs<std::int32_t>& a, cudaStream_t stream) {
    in_passes(a, [=](const std::int32_t* in, std::int32_t* out, std::int64_t n, unsigned blocks) {
        total_read_too_early<<<blocks, kBlock, 0, stream>>>(in, out, n);
    });
}
}  // namespace

LANEWORK_RUNG(reduce, total_read_too_early,
              {
                  .lesson = "Never: atomic additions do not wait for each other's threads.",
                  .launch = launch,
                  .workspace = workspace,
              });
