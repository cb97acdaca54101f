// One element after the other, its ring on the stack: a processor's stack is in the first-level cache, and a core has
// nowhere else for an array that is indexed by a variable.
#include "ops/spill/cpu/ring.hpp"

namespace {
void launch(const SpillArgs& a, Team) {
    for (std::int64_t i = 0; i < a.n; ++i)
        a.out[i] = static_cast<std::int32_t>(run_ring(static_cast<std::uint32_t>(a.in[i]), a.steps));
}
}  // namespace

LANEWORK_RUNG(spill, serial,
              {
                  .lesson = "A ring on the stack costs a core two loads and a store for each step.",
                  .launch = launch,
              });
