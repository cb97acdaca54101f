// A tree at the end does not mend what happens before it: 128 floats add n/128 elements each, in turn. It is here to
// show that.
#include "ops/reduce/operation.hpp"

namespace {
void launch(const ReduceArgs<float>& a, Team) {
    float sums[kLongRuns] = {};
    for (std::int64_t i = 0; i < a.n; ++i) sums[i % kLongRuns] += a.in[i];
    for (int half = kLongRuns / 2; half > 0; half /= 2)
        for (int k = 0; k < half; ++k) sums[k] += sums[k + half];
    *a.out = sums[0];
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
