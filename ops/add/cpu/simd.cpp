// A vector per step on every core, and stores that go past the caches: z is not read before it is overwritten.
#include <algorithm>

#include "ops/add/operation.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/add/cpu/simd.cpp"
#include <hwy/foreach_target.h>  // reads this file once per instruction set
//
#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;

/// From here on (1 MiB, half of a second-level cache) streaming stores pay: nobody finds z in a near cache.
constexpr std::int64_t kStreamedElements = 1 << 18;
constexpr std::int64_t kLine = 64 / sizeof(float);  // elements of a cache line

HWY_INLINE void add_each(const AddArgs& a, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) a.z[i] = a.x[i] + a.y[i];
}

/// `first` lies on a line of z, last - first is a number of lines.
HWY_INLINE void add_lines(const AddArgs& a, std::int64_t first, std::int64_t last, bool streaming) {
    const D d;
    const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(d));
    if (streaming)
        for (std::int64_t i = first; i < last; i += lanes)
            hn::Stream(hn::Add(hn::LoadU(d, a.x + i), hn::LoadU(d, a.y + i)), d, a.z + i);
    else
        for (std::int64_t i = first; i < last; i += lanes)
            hn::StoreU(hn::Add(hn::LoadU(d, a.x + i), hn::LoadU(d, a.y + i)), d, a.z + i);
}

void add_team(const AddArgs& a, int threads) {
    const auto past_line = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(a.z) / sizeof(float) % kLine);
    const std::int64_t head = std::min((kLine - past_line) % kLine, a.n), lines = (a.n - head) / kLine;
    const std::int64_t per_thread = ceil_div(lines, threads);
    add_each(a, 0, head);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int part = 0; part < threads; ++part) {
        const std::int64_t first = std::min(part * per_thread, lines), last = std::min(first + per_thread, lines);
        add_lines(a, head + first * kLine, head + last * kLine, a.n >= kStreamedElements);
        hwy::FlushStream();
    }
    add_each(a, head + lines * kLine, a.n);
}

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace {
HWY_EXPORT(add_team);

void launch(const AddArgs& a, Team team) {
    if (!a.empty()) HWY_DYNAMIC_DISPATCH(add_team)(a, team.threads);
}

}  // namespace

LANEWORK_RUNG(
    add, simd,
    {
        .climbs_from = "serial",
        .lesson =
            "Several cores keep more lines in flight; streaming stores spare the memory reading z: 3 moves, not 4.",
        .launch = launch,
    });
#endif
