// Every thread reads its own stretch with the widest vectors; the few results are folded at the end.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/read/cpu/threads.cpp"  // once for every instruction set
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/read/cpu/xor_words.hpp"
#include "ops/read/operation.hpp"

#if HWY_ONCE
#include <omp.h>

#include "src/cpu/share.hpp"

namespace {
HWY_EXPORT(xor_words);

constexpr std::int64_t kGrain = 1024;  // words: a page

void launch(const ReadArgs& a, Team team) {
    std::int32_t all = 0;
#pragma omp parallel num_threads(team.threads) reduction(^ : all)
    {
        const Share share = share_of(a.words, omp_get_num_threads(), omp_get_thread_num(), kGrain);
        all ^= HWY_DYNAMIC_DISPATCH(xor_words)(a.in + share.begin, share.size());
    }
    *a.out = all;
}
}  // namespace

LANEWORK_RUNG(read, threads,
              {
                  .climbs_from = "simd",
                  .lesson = "The lines in flight of all cores add up, until the memory bus is full.",
                  .launch = launch,
              });
#endif
