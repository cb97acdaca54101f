// expect: wrong — the threads behind the end leave their element of shared memory as it was, and it is added
// says: out[0] is
// finding: uninitialised_read at line 13
#include "tests/wrong/reduce/block_sums.hpp"

namespace {
__global__ void tail_not_staged(const std::int32_t* in, std::int32_t* out, std::int64_t n) {
    __shared__ std::int32_t sums[kBlock];
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) sums[threadIdx.x] = in[i];  // sums[threadIdx.x] = i < n ? in[i] : 0 would be right
    __syncthreads();
    for (unsigned half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] = plus(sums[threadIdx.x], sums[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

void launch(const ReduceArgs<std::int32_t>& a, cudaStream_t stream) {
    in_passes(a, [=](const std::int32_t* in, std::int32_t* out, std::int64_t n, unsigned blocks) {
        tail_not_staged<<<blocks, kBlock, 0, stream>>>(in, out, n);
    });
}
}  // namespace

LANEWORK_RUNG(reduce, tail_not_staged,
              {
                  .lesson = "Never: shared memory holds whatever the block before left there.",
                  .launch = launch,
                  .workspace = workspace,
              });
