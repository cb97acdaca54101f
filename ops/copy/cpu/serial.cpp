// One thread, one word after another: the compiler and the C library make of it what they can.
#include "ops/copy/operation.hpp"

namespace {
void launch(const CopyArgs& a, Team) {
    for (std::int64_t i = 0; i < a.words; ++i) a.out[i] = a.in[i];
}
}  // namespace

LANEWORK_RUNG(copy, serial,
              {
                  .lesson = "One core alone cannot ask for as many cache lines at a time as the memory can deliver.",
                  .launch = launch,
              });
