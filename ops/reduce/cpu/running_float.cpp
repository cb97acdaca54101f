// One float that runs through all elements. At 2^24 times an element it stops growing: adding less than half of the
// distance to the next float changes nothing. It is here to show that.
#include "ops/reduce/operation.hpp"

namespace {
void launch(const ReduceArgs<float>& a, Team) {
    float sum = 0;
    for (std::int64_t i = 0; i < a.n; ++i) sum += a.in[i];
    *a.out = sum;
}
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
