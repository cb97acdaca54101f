// One float that runs through all elements, on one thread. At 2^24 times an element it stops growing: adding less than
// half of the distance to the next float changes nothing. It is here to show that.
#include "ops/reduce/operation.hpp"

namespace {
__global__ void running_float(const float* in, float* out, std::int64_t n) {
    float sum = 0;
#pragma unroll 64  // the loads need not wait for the additions
    for (std::int64_t i = 0; i < n; ++i) sum += in[i];
    *out = sum;
}

void launch(const ReduceArgs<float>& a, cudaStream_t stream) { running_float<<<1, 1, 0, stream>>>(a.in, a.out, a.n); }
}  // namespace

LANEWORK_RUNG(reduce, running_float,
              {
                  .lesson = "One float adds everything in turn: 10⁸ times 1.23 is 33 554 432, where it stops growing.",
                  .launch = launch,
                  .refuses = refuse_beyond_one_thread,
                  .fits = OneRow<reduce_signature>::fits,
                  .only = kRowsTouch,
                  .deviation = 1,
              });
