// Every thread of the team has cells of its own; they are added at the end.
#include <omp.h>

#include <algorithm>
#include <vector>

#include "ops/tally/operation.hpp"
#include "src/cpu/share.hpp"

namespace {
using Cells = std::vector<std::uint32_t>;

Cells sums_of(const TallyArgs& a, Share share) {
    Cells own(static_cast<std::size_t>(a.cells));
    for (std::int64_t i = share.begin; i < share.end; ++i)
        own[static_cast<std::size_t>(i % a.cells)] +=
            static_cast<std::uint32_t>(wrapping_product(a.values[i], a.rounds));
    return own;
}

void launch(const TallyArgs& a, Team team) {
    std::fill_n(a.out, a.cells, 0);
    if (a.cells == 0) return;
#pragma omp parallel num_threads(team.threads)
    {
        const Cells own = sums_of(a, share_of(a.threads, omp_get_num_threads(), omp_get_thread_num(), 1));
#pragma omp critical(lanework_tally)
        for (std::size_t c = 0; c < own.size(); ++c)
            a.out[c] = static_cast<std::int32_t>(static_cast<std::uint32_t>(a.out[c]) + own[c]);
    }
}
}  // namespace

LANEWORK_RUNG(tally, private_sums,
              {
                  .climbs_from = "atomics",
                  .lesson = "Cells for each thread, added once at the end: no line travels while they count.",
                  .launch = launch,
              });
