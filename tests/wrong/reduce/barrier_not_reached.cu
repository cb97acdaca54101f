// expect: failed — only part of a block reaches the barrier
// says: threads of block (0,0,0) wait at __syncthreads() at
// finding: divergent_barrier at line 15
#include "tests/wrong/reduce/block_sums.hpp"

namespace {
__global__ void barrier_not_reached(const std::int32_t* in, std::int32_t* out, std::int64_t n) {
    __shared__ std::int32_t sums[kBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    sums[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            sums[threadIdx.x] = plus(sums[threadIdx.x], sums[threadIdx.x + half]);
            __syncthreads();  // inside the branch: the block's other threads have left
        }
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

void launch(const ReduceArgs<std::int32_t>& a, cudaStream_t stream) {
    in_passes(a, [=](const std::int32_t* in, std::int32_t* out, std::int64_t n, unsigned blocks) {
        barrier_not_reached<<<blocks, kBlock, 0, stream>>>(in, out, n);
    });
}
}  // namespace

LANEWORK_RUNG(reduce, barrier_not_reached,
              {
                  .lesson = "Never: a barrier is for every thread of the block.",
                  .launch = launch,
                  .workspace = workspace,
              });
