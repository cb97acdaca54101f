// finding: race at line 13
// The first thread reads the block's total while other warps still add to it.
#include "ops/reduce/passes.hpp"

namespace {
constexpr int kBlock = 256;

__global__ void total_read_too_early(const std::int32_t* in, std::int32_t* out, std::int64_t n) {
    __shared__ std::int32_t total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) atomicAdd(&total, in[i]);
    // Here __syncthreads() is missing.
    if (threadIdx.x == 0) out[blockIdx.x] = total;
}

std::size_t workspace(const ReduceArgs<std::int32_t>& a) {
    return static_cast<std::size_t>(partial_count(a.n, kBlock)) * sizeof(std::int32_t);
}

void launch(const ReduceArgs<std::int32_t>& a, cudaStream_t stream) {
    const auto pass = [=](const std::int32_t* in, std::int32_t* out, std::int64_t n, unsigned blocks) {
        total_read_too_early<<<blocks, kBlock, 0, stream>>>(in, out, n);
    };
    in_passes(a, kBlock, static_cast<std::int32_t*>(a.workspace), pass);
}
}  // namespace

LANEWORK_RUNG(reduce, total_read_too_early,
              {
                  .lesson = "Never: atomic additions do not wait for each other's threads.",
                  .launch = launch,
                  .workspace = workspace,
              });
