// Every thread of the team adds atomically: the cache line of a cell travels from core to core.
#include <omp.h>

#include <algorithm>
#include <atomic>

#include "ops/tally/operation.hpp"
#include "src/cpu/share.hpp"

namespace {
void add_share(const TallyArgs& a, Share share) {
    for (std::int64_t i = share.begin; i < share.end; ++i) {
        const std::atomic_ref<std::int32_t> cell(a.out[i % a.cells]);
        for (std::int64_t round = 0; round < a.rounds; ++round) cell.fetch_add(a.values[i], std::memory_order_relaxed);
    }
}

void launch(const TallyArgs& a, Team team) {
    std::fill_n(a.out, a.cells, 0);
    if (a.cells == 0) return;
#pragma omp parallel num_threads(team.threads)
    add_share(a, share_of(a.threads, omp_get_num_threads(), omp_get_thread_num(), 1));
}
}  // namespace

LANEWORK_RUNG(tally, atomics,
              {
                  .climbs_from = "serial",
                  .lesson = "A locked addition waits for its cache line, and cores that share a cell pass the line on.",
                  .launch = launch,
              });
