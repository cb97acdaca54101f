// Every thread of the team counts its own stretch into its own tables, which are added at the end.
#include <omp.h>

#include <algorithm>
#include <vector>

#include "ops/histogram/cpu/tables.hpp"
#include "src/cpu/share.hpp"

namespace {
constexpr std::int64_t kGrain = 4096;              // bytes: a page
constexpr std::int64_t kWorthATeam = 16 * kGrain;  // fewer bytes are counted sooner than threads wake up

void launch(const HistogramArgs& a, Team team) {
    const int threads = a.n < kWorthATeam ? 1 : team.threads;
    std::vector<Tables> tables(static_cast<std::size_t>(threads));
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; ++t) {
        const Share share = share_of(a.n, threads, t, kGrain);
        for_each_stretch(share, a.cols, [&](std::int64_t row, std::int64_t begin, std::int64_t end) {
            tables[static_cast<std::size_t>(t)].count(a.in + row * a.pitch + begin, end - begin);
        });
    }
    for (int bin = 0; bin < kBins; ++bin) {
        a.counts[bin] = 0;
        for (const Tables& own : tables) a.counts[bin] += own[bin];
    }
}
}  // namespace

LANEWORK_RUNG(histogram, threads,
              {
                  .climbs_from = "several_tables",
                  .lesson = "Tables for each thread, added once at the end: no thread waits for another.",
                  .launch = launch,
              });
