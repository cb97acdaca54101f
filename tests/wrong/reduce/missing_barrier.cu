// expect: wrong — a thread adds its neighbour's sum of this step before the neighbour has written that of the last
// says: out[0] is
// finding: race at line 13
#include "tests/wrong/reduce/block_sums.hpp"

namespace {
__global__ void missing_barrier(const std::int32_t* in, std::int32_t* out, std::int64_t n) {
    __shared__ std::int32_t sums[kBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    sums[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] = plus(sums[threadIdx.x], sums[threadIdx.x + half]);
        // Here __syncthreads() is missing.
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

void launch(const ReduceArgs<std::int32_t>& a, cudaStream_t stream) {
    in_passes(a, [=](const std::int32_t* in, std::int32_t* out, std::int64_t n, unsigned blocks) {
        missing_barrier<<<blocks, kBlock, 0, stream>>>(in, out, n);
    });
}
}  // namespace

LANEWORK_RUNG(reduce, missing_barrier,
              {
                  .lesson = "Never: every step of the tree reads what other threads wrote in the step before.",
                  .launch = launch,
                  .workspace = workspace,
              });
