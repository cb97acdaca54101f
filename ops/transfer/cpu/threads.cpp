// Every thread copies its own stretch: the lines in flight of all cores add up.
#include <omp.h>

#include <cstring>

#include "ops/transfer/operation.hpp"
#include "src/cpu/share.hpp"

namespace {
constexpr std::int64_t kGrain = 1024;  // words: a page, so that no two threads write one

void launch(const TransferArgs& a, Team team) {
#pragma omp parallel num_threads(team.threads)
    {
        const Share share = share_of(a.words, omp_get_num_threads(), omp_get_thread_num(), kGrain);
        if (share.size() > 0)
            std::memcpy(a.out + share.begin, a.in + share.begin,
                        static_cast<std::size_t>(share.size()) * sizeof(*a.in));
    }
}
}  // namespace

LANEWORK_RUNG(transfer, threads,
              {
                  .climbs_from = "serial",
                  .lesson = "All cores together keep enough cache lines in flight to fill the memory bus.",
                  .launch = launch,
              });
