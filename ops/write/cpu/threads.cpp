// Every thread writes its own stretch, page by page, so that no two threads share a line.
#include <omp.h>

#include "ops/write/operation.hpp"
#include "src/cpu/share.hpp"

namespace {
constexpr std::int64_t kGrain = 1024;  // words: a page

void launch(const WriteArgs& a, Team team) {
    const auto start = static_cast<std::uint32_t>(*a.start);
#pragma omp parallel num_threads(team.threads)
    {
        const Share share = share_of(a.words, omp_get_num_threads(), omp_get_thread_num(), kGrain);
        for (std::int64_t i = share.begin; i < share.end; ++i)
            a.out[i] = static_cast<std::int32_t>(start + static_cast<std::uint32_t>(i));
    }
}
}  // namespace

LANEWORK_RUNG(write, threads,
              {
                  .climbs_from = "serial",
                  .lesson = "The stores of all cores add up, but each still reads the line that it overwrites.",
                  .launch = launch,
              });
