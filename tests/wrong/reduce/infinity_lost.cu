// expect: wrong — what an addition to infinity rounds away is no number, and is added to the sum
// says: with large input max/3: out[0] is
#include "ops/reduce/running_sum.hpp"

namespace {
__global__ void infinity_lost(const float* in, float* out, std::int64_t n) {
    float sum = 0, lost = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const float next = sum + in[i];
        lost += rounded_away(sum, in[i], next);
        sum = next;
    }
    *out = sum + lost;
}

void launch(const ReduceArgs<float>& a, cudaStream_t stream) { infinity_lost<<<1, 1, 0, stream>>>(a.in, a.out, a.n); }
}  // namespace

LANEWORK_RUNG(reduce, infinity_lost,
              {
                  .lesson = "Never: a compensated sum must look whether there is anything to compensate.",
                  .launch = launch,
              });
