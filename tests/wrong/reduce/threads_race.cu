// expect: wrong — threads add to one number in shared memory without an atomic operation
// says: under schedule
// finding: race at line 14
#include "tests/wrong/reduce/block_sums.hpp"

namespace {
__global__ void threads_race(const std::int32_t* in, std::int32_t* out, std::int64_t n) {
    __shared__ std::int32_t y;
    if (threadIdx.x == 0) y = 0;
    __syncthreads();
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) {
        const std::int32_t s = in[i];
        y = plus(y, s);  // atomicAdd(&y, s) would be right
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = y;
}

void launch(const ReduceArgs<std::int32_t>& a, cudaStream_t stream) {
    in_passes(a, [=](const std::int32_t* in, std::int32_t* out, std::int64_t n, unsigned blocks) {
        threads_race<<<blocks, kBlock, 0, stream>>>(in, out, n);
    });
}
}  // namespace

LANEWORK_RUNG(reduce, threads_race,
              {
                  .lesson = "Never: y += s by many threads at once.",
                  .launch = launch,
                  .workspace = workspace,
              });
