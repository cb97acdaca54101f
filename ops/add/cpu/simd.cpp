// A vector per step on every core, and stores that go past the caches: z is not read before it is overwritten.
#include <algorithm>

#include "ops/add/operation.hpp"
#include "src/cpu/share.hpp"

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

HWY_INLINE void add_each(const float* x, const float* y, float* z, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) z[i] = x[i] + y[i];
}

/// z lies on a line, n is a number of lines.
HWY_INLINE void add_lines(const float* x, const float* y, float* z, std::int64_t n, bool streaming) {
    const D d;
    const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(d));
    if (streaming)
        for (std::int64_t i = 0; i < n; i += lanes)
            hn::Stream(hn::Add(hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, z + i);
    else
        for (std::int64_t i = 0; i < n; i += lanes)
            hn::StoreU(hn::Add(hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, z + i);
}

/// Elements to the next line of z.
std::int64_t to_line(const float* z) {
    const auto past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(z) / sizeof(float) % kLine);
    return (kLine - past) % kLine;
}

void add_stretch(const float* x, const float* y, float* z, std::int64_t n, bool streaming) {
    const std::int64_t head = std::min(to_line(z), n), lines = (n - head) / kLine * kLine, tail = head + lines;
    add_each(x, y, z, head);
    add_lines(x + head, y + head, z + head, lines, streaming);
    add_each(x + tail, y + tail, z + tail, n - tail);
}

/// The share of one of the threads, but that it begins at a line of z where there is one row.
Share share_of_lines(const AddArgs& a, int threads, int part) {
    const std::int64_t head = in_one_row(a) ? std::min(to_line(a.z), a.n) : 0;
    const Share share = share_of(a.n - head, threads, part, kLine);
    return {part == 0 ? 0 : head + share.begin, head + share.end};
}

void add_team(const AddArgs& a, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int part = 0; part < threads; ++part) {
        const Share share = share_of_lines(a, threads, part);
        for_each_stretch(share, a.cols, [&](std::int64_t row, std::int64_t begin, std::int64_t end) {
            add_stretch(a.x + row * a.x_pitch + begin, a.y + row * a.y_pitch + begin, a.z + row * a.z_pitch + begin,
                        end - begin, a.n >= kStreamedElements);
        });
        hwy::FlushStream();
    }
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
