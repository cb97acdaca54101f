// expect: wrong — the last warp counts on its lanes running in lockstep, which no device since Volta does
// says: out[0] is
// finding: warp_synchrony at line 17
#include "tests/wrong/reduce/block_sums.hpp"

namespace {
__global__ void lockstep(const std::int32_t* in, std::int32_t* out, std::int64_t n) {
    __shared__ volatile std::int32_t sums[kBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    sums[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned half = kBlock / 2; half >= 32; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] = plus<std::int32_t>(sums[threadIdx.x], sums[threadIdx.x + half]);
        __syncthreads();
    }
    for (unsigned half = 16; half > 0; half /= 2)  // __syncwarp() is missing after each read and each write
        if (threadIdx.x < half) sums[threadIdx.x] = plus<std::int32_t>(sums[threadIdx.x], sums[threadIdx.x + half]);
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

void launch(const ReduceArgs<std::int32_t>& a, cudaStream_t stream) {
    in_passes(a, [=](const std::int32_t* in, std::int32_t* out, std::int64_t n, unsigned blocks) {
        lockstep<<<blocks, kBlock, 0, stream>>>(in, out, n);
    });
}
}  // namespace

LANEWORK_RUNG(reduce, lockstep,
              {
                  .lesson = "Never: volatile keeps the order of one thread, not of a warp.",
                  .launch = launch,
                  .workspace = workspace,
              });
