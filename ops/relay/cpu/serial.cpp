// Step after step through the whole array, on one thread: a step begins with a jump, and costs nothing to begin.
#include "ops/relay/operation.hpp"

namespace {
void launch(const RelayArgs& a, Team) {
    for (std::int64_t i = 0; i < a.words; ++i) a.out[i] = a.in[i];
    for (std::int64_t step = 0; step < a.steps; ++step)
        for (std::int64_t i = 0; i < a.words; ++i) a.out[i] = stepped(a.out[i]);
}
}  // namespace

LANEWORK_RUNG(relay, serial,
              {
                  .lesson = "On one thread nothing is launched: the array is walked through once for every step.",
                  .launch = launch,
              });
