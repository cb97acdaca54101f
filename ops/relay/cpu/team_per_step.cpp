// A team of threads for every step: it is called together, shares the words out, and is waited for.
#include <omp.h>

#include "ops/relay/operation.hpp"
#include "src/cpu/share.hpp"

namespace {
constexpr std::int64_t kGrain = 16;  // words: a cache line

void step_share(const RelayArgs& a, const std::int32_t* in) {
    const Share share = share_of(a.words, omp_get_num_threads(), omp_get_thread_num(), kGrain);
    for (std::int64_t i = share.begin; i < share.end; ++i) a.out[i] = stepped(in[i]);
}

void launch(const RelayArgs& a, Team team) {
    if (a.steps == 0)
        for (std::int64_t i = 0; i < a.words; ++i) a.out[i] = a.in[i];
    for (std::int64_t step = 0; step < a.steps; ++step) {
#pragma omp parallel num_threads(team.threads)
        step_share(a, step == 0 ? a.in : a.out);
    }
}
}  // namespace

LANEWORK_RUNG(relay, team_per_step,
              {
                  .climbs_from = "serial",
                  .lesson = "To call a team of threads together and wait for it is the launch of a processor.",
                  .launch = launch,
              });
