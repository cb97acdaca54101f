// One element after the other. The table stays in the first-level cache, which has no banks that a single thread could
// make collide.
#include "ops/banks/cpu/sweep.hpp"

namespace {
void launch(const BanksArgs& a, Team) {
    for (std::int64_t i = 0; i < a.n; ++i) a.out[i] = swept(a, i);
}
}  // namespace

LANEWORK_RUNG(
    banks, serial,
    {
        .lesson = "One thread reads one word at a time: a cache line holds its neighbours, no bank is shared.",
        .launch = launch,
    });
