// Each thread of the team takes tasks of its own: what a GPU's streams do for kernels.
#include "ops/overlap/operation.hpp"

namespace {
void launch(const OverlapArgs& a, Team team) {
#pragma omp parallel for num_threads(team.threads) schedule(dynamic)
    for (std::int64_t task = 0; task < a.tasks; ++task)
        for (std::int64_t i = task * a.n; i < (task + 1) * a.n; ++i) a.out[i] = overlap_steps(a.in[i]);
}
}  // namespace

LANEWORK_RUNG(overlap, threads,
              {
                  .climbs_from = "serial",
                  .lesson = "A task for each core: independent work fills a processor when there is enough of it.",
                  .launch = launch,
              });
