// One thread, plain additions: nobody to meet.
#include <algorithm>

#include "ops/tally/operation.hpp"

namespace {
void launch(const TallyArgs& a, Team) {
    std::fill_n(a.out, a.cells, 0);
    for (std::int64_t i = 0; i < a.threads && a.cells > 0; ++i) {
        auto* const cell = reinterpret_cast<std::uint32_t*>(a.out + i % a.cells);
        for (std::int64_t round = 0; round < a.rounds; ++round) *cell += static_cast<std::uint32_t>(a.values[i]);
    }
}
}  // namespace

LANEWORK_RUNG(tally, serial,
              {
                  .lesson = "Alone, an addition to memory is an addition: the compiler joins the rounds to one.",
                  .launch = launch,
              });
