// One element after the other. The branch alternates, which a processor predicts; each step waits for the one before.
#include "ops/divergence/operation.hpp"

namespace {
void launch(const DivergenceArgs& a, Team) {
    for (std::int64_t i = 0; i < a.n; ++i) {
        auto x = static_cast<std::uint32_t>(a.in[i]);
        if (i % 2 == 0)
            for (std::int64_t round = 0; round < a.rounds; ++round) x = even_step(x);
        else
            for (std::int64_t round = 0; round < a.rounds; ++round) x = odd_step(x);
        a.out[i] = static_cast<std::int32_t>(x);
    }
}
}  // namespace

LANEWORK_RUNG(divergence, serial,
              {
                  .lesson = "A core branches for each element alone: nobody else waits for it.",
                  .launch = launch,
              });
