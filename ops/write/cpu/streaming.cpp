// Non-temporal stores write whole lines past the cache: half the traffic of stores that read their lines first.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/write/cpu/streaming.cpp"  // once for every instruction set
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
//
#include <hwy/cache_control.h>

#include "ops/write/operation.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// out[i] = start + i; `out` is aligned to a cache line.
void stream_ramp(std::uint32_t start, std::int32_t* out, std::int64_t words) {
    const hn::ScalableTag<std::uint32_t> d;
    const hn::RebindToSigned<decltype(d)> signed_words;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto step = hn::Set(d, static_cast<std::uint32_t>(lanes));
    auto ramp = hn::Iota(d, start);
    std::int64_t i = 0;
    for (; i + lanes <= words; i += lanes) {
        hn::Stream(hn::BitCast(signed_words, ramp), signed_words, out + i);
        ramp = hn::Add(ramp, step);
    }
    for (; i < words; ++i) out[i] = static_cast<std::int32_t>(start + static_cast<std::uint32_t>(i));
    hwy::FlushStream();
}

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <omp.h>

#include "src/cpu/share.hpp"

namespace {
HWY_EXPORT(stream_ramp);

constexpr std::int64_t kGrain = 1024;  // words: a page

void launch(const WriteArgs& a, Team team) {
    const auto start = static_cast<std::uint32_t>(*a.start);
#pragma omp parallel num_threads(team.threads)
    {
        const Share share = share_of(a.words, omp_get_num_threads(), omp_get_thread_num(), kGrain);
        HWY_DYNAMIC_DISPATCH(stream_ramp)
        (start + static_cast<std::uint32_t>(share.begin), a.out + share.begin, share.size());
    }
}
}  // namespace

LANEWORK_RUNG(write, streaming,
              {
                  .climbs_from = "threads",
                  .lesson = "Non-temporal stores fill whole lines, so none has to be read before it is written.",
                  .launch = launch,
              });
#endif
