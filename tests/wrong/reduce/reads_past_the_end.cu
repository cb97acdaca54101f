// expect: wrong — the bound is off by one: what lies behind the input is added to it
// says: out[0] is
// finding: out_of_bounds at line 10
#include "tests/wrong/reduce/block_sums.hpp"

namespace {
__global__ void reads_past_the_end(const std::int32_t* in, std::int32_t* out, std::int64_t n) {
    __shared__ std::int32_t sums[kBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    sums[threadIdx.x] = i <= n ? in[i] : 0;  // i < n would be right
    __syncthreads();
    for (unsigned half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] = plus(sums[threadIdx.x], sums[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

void launch(const ReduceArgs<std::int32_t>& a, cudaStream_t stream) {
    in_passes(a, [=](const std::int32_t* in, std::int32_t* out, std::int64_t n, unsigned blocks) {
        reads_past_the_end<<<blocks, kBlock, 0, stream>>>(in, out, n);
    });
}
}  // namespace

LANEWORK_RUNG(reduce, reads_past_the_end,
              {
                  .lesson = "Never: the element behind the last is somebody else's.",
                  .launch = launch,
                  .workspace = workspace,
              });
