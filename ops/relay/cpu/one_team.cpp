// One team for all steps: a thread takes its own words through all of them, and nobody waits for anybody in between.
#include <omp.h>

#include <algorithm>

#include "ops/relay/operation.hpp"
#include "src/cpu/share.hpp"

namespace {
constexpr std::int64_t kGrain = 16;      // words: a cache line
constexpr std::int64_t kTogether = 512;  // words that take all their steps while they are in the first-level cache

void step_block(const RelayArgs& a, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) a.out[i] = a.in[i];
    for (std::int64_t step = 0; step < a.steps; ++step)
        for (std::int64_t i = begin; i < end; ++i) a.out[i] = stepped(a.out[i]);
}

void launch(const RelayArgs& a, Team team) {
#pragma omp parallel num_threads(team.threads)
    {
        const Share share = share_of(a.words, omp_get_num_threads(), omp_get_thread_num(), kGrain);
        for (std::int64_t at = share.begin; at < share.end; at += kTogether)
            step_block(a, at, std::min(share.end, at + kTogether));
    }
}
}  // namespace

LANEWORK_RUNG(relay, one_team,
              {
                  .climbs_from = "team_per_step",
                  .lesson = "Steps that need nothing of a neighbour need no team called together between them.",
                  .launch = launch,
              });
