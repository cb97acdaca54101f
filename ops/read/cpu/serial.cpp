// One accumulator: every step waits for the one before it, unless the compiler finds lanes by itself.
#include "ops/read/operation.hpp"

namespace {
void launch(const ReadArgs& a, Team) {
    std::int32_t all = 0;
    for (std::int64_t i = 0; i < a.words; ++i) all ^= a.in[i];
    *a.out = all;
}
}  // namespace

LANEWORK_RUNG(read, serial,
              {
                  .lesson = "One core reads with as many cache lines in flight as its hardware prefetcher dares.",
                  .launch = launch,
              });
