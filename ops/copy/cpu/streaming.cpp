// A plain store reads its cache line first; a non-temporal one writes whole lines past the cache and saves that read.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/copy/cpu/streaming.cpp"  // once for every instruction set
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
//
#include <hwy/cache_control.h>

#include "ops/copy/operation.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t kPage = 1024;  // words: prefetchers stop at the end of a page

// `out` is aligned to a cache line. Four pages at a time: four streams for the prefetchers to follow.
void stream_words(const std::int32_t* in, std::int32_t* out, std::int64_t words) {
    const hn::ScalableTag<std::int32_t> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    for (; i + 4 * kPage <= words; i += 4 * kPage)
        for (std::int64_t at = i; at < i + kPage; at += lanes) {
            hn::Stream(hn::LoadU(d, in + at), d, out + at);
            hn::Stream(hn::LoadU(d, in + at + kPage), d, out + at + kPage);
            hn::Stream(hn::LoadU(d, in + at + 2 * kPage), d, out + at + 2 * kPage);
            hn::Stream(hn::LoadU(d, in + at + 3 * kPage), d, out + at + 3 * kPage);
        }
    for (; i + lanes <= words; i += lanes) hn::Stream(hn::LoadU(d, in + i), d, out + i);
    for (; i < words; ++i) out[i] = in[i];
    hwy::FlushStream();
}

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <omp.h>

#include "src/cpu/share.hpp"

namespace {
HWY_EXPORT(stream_words);

constexpr std::int64_t kGrain = 1024;  // words: a page

void launch(const CopyArgs& a, Team team) {
#pragma omp parallel num_threads(team.threads)
    {
        const Share share = share_of(a.words, omp_get_num_threads(), omp_get_thread_num(), kGrain);
        HWY_DYNAMIC_DISPATCH(stream_words)(a.in + share.begin, a.out + share.begin, share.size());
    }
}
}  // namespace

LANEWORK_RUNG(copy, streaming,
              {
                  .climbs_from = "threads",
                  .lesson = "Non-temporal stores spare the read of every line that is about to be overwritten.",
                  .launch = launch,
              });
#endif
