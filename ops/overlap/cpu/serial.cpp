// One task after the other, an element at a time: what is independent stays so, and waits.
#include "ops/overlap/operation.hpp"

namespace {
void launch(const OverlapArgs& a, Team) {
    for (std::int64_t i = 0; i < a.tasks * a.n; ++i) a.out[i] = overlap_steps(a.in[i]);
}
}  // namespace

LANEWORK_RUNG(overlap, serial,
              {
                  .lesson = "Task after task on one core: that they need nothing of each other gains nothing.",
                  .launch = launch,
              });
