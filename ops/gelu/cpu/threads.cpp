// Every thread of the team computes its own stretch.
#include <omp.h>

#include "ops/gelu/cpu/arithmetic.hpp"
#include "src/cpu/share.hpp"

namespace {
constexpr std::int64_t kGrain = 2048;  // elements: a page at least, so that no two threads write one

template <class T>
void launch(const GeluArgs<T>& a, Team team) {
#pragma omp parallel num_threads(team.threads)
    {
        const Share share = share_of(a.n, omp_get_num_threads(), omp_get_thread_num(), kGrain);
        for_each_stretch(share, a.cols, [&](std::int64_t row, std::int64_t begin, std::int64_t end) {
            gelu_range(a, row, begin, end);
        });
    }
}
}  // namespace

LANEWORK_RUNG(gelu, threads,
              {
                  .climbs_from = "serial",
                  .lesson = "Arithmetic divides among cores without loss.",
                  .launch = {launch<float>, launch<float16>, launch<bfloat16>},
              });
