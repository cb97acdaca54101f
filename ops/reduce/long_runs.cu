// A tree at the end does not mend what happens before it: 128 threads add runs of n/128 elements in turn, each in one
// float. It is here to show that.
#include "ops/reduce/operation.hpp"

namespace {
__global__ void long_runs(const float* in, float* out, std::int64_t n) {
    __shared__ float sums[kLongRuns];
    float sum = 0;
#pragma unroll 16  // the loads need not wait for the additions
    for (std::int64_t i = threadIdx.x; i < n; i += kLongRuns) sum += in[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half = kLongRuns / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = sums[0];
}

void launch(const ReduceArgs<float>& a, cudaStream_t stream) {
    long_runs<<<1, kLongRuns, 0, stream>>>(a.in, a.out, a.n);
}
}  // namespace

LANEWORK_RUNG(reduce, long_runs,
              {
                  .climbs_from = "running_float",
                  .lesson = "A tree of 128 floats after runs that are too long: 10⁸ times 1.23 is 123 633 392.",
                  .launch = launch,
                  .refuses = refuse_beyond_one_thread,
                  .fits = OneRow<reduce_signature>::fits,
                  .only = kRowsTouch,
                  .deviation = 0.125,  // n/128 roundings of ε/2 each, at the largest n
              });
// mends: few_blocks, block_size
