// The ends are done apart, so that the loop between them has no comparison and becomes vector code; every thread of the
// team has its own stretch.
#include <omp.h>

#include <algorithm>

#include "ops/pipeline/mean.hpp"
#include "src/cpu/share.hpp"

namespace {
constexpr std::int64_t kGrain = 1024;  // elements: a page, so that no two threads write one

void launch(const PipelineArgs& a, Team team) {
#pragma omp parallel num_threads(team.threads)
    {
        const Share share = share_of(a.n, omp_get_num_threads(), omp_get_thread_num(), kGrain);
        const std::int64_t first = std::max<std::int64_t>(share.begin, 1), last = std::min(share.end, a.n - 1);
        const float *const p = a.a, *const q = a.b;
        for (std::int64_t i = first; i < last; ++i)
            a.c[i] = ((p[i - 1] + p[i] + p[i + 1]) / 3.0F + (q[i - 1] + q[i] + q[i + 1]) / 3.0F) / 2.0F;
        for (const std::int64_t end : {std::int64_t{0}, a.n - 1})
            if (end >= share.begin && end < share.end) a.c[end] = mean_of_means(p, q, end, a.n);
    }
}
}  // namespace

LANEWORK_RUNG(pipeline, threads,
              {
                  .climbs_from = "serial",
                  .lesson = "Ends apart, vector code between, a stretch per thread: as fast as the memory.",
                  .launch = launch,
              });
