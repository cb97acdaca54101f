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

/// From here on (1 MiB, half of a second-level cache) streaming stores pay: nobody finds z in a near cache.
template <class T>
constexpr std::int64_t kStreamedElements = (1 << 20) / sizeof(T);
template <class T>
constexpr std::int64_t kLine = 64 / sizeof(T);  // elements of a cache line

template <class T>
HWY_INLINE void add_each(const T* x, const T* y, T* z, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) z[i] = sum_of(x[i], y[i]);
}

/// z lies on a line, n is a number of lines.
template <class T>
HWY_INLINE void add_lines(const T* x, const T* y, T* z, std::int64_t n, bool streaming) {
    const hn::ScalableTag<T> d;
    const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(d));
    if (streaming)
        for (std::int64_t i = 0; i < n; i += lanes)
            hn::Stream(hn::Add(hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, z + i);
    else
        for (std::int64_t i = 0; i < n; i += lanes)
            hn::StoreU(hn::Add(hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, z + i);
}

/// Elements to the next line of z.
template <class T>
std::int64_t to_line(const T* z) {
    const auto past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(z) / sizeof(T) % kLine<T>);
    return (kLine<T> - past) % kLine<T>;
}

/// Halves become floats and back one by one.
template <class T>
void add_stretch(const T* x, const T* y, T* z, std::int64_t n, bool streaming) {
    if constexpr (std::is_class_v<T>) {
        add_each(x, y, z, n);
    } else {
        const std::int64_t head = std::min(to_line(z), n), lines = (n - head) / kLine<T> * kLine<T>;
        const std::int64_t tail = head + lines;
        add_each(x, y, z, head);
        add_lines(x + head, y + head, z + head, lines, streaming);
        add_each(x + tail, y + tail, z + tail, n - tail);
    }
}

/// The share of one of the threads, but that it begins at a line of z where there is one row.
template <class T>
Share share_of_lines(const AddArgsOf<T>& a, int threads, int part) {
    const std::int64_t head = in_one_row(a) ? std::min(to_line(a.z), a.n) : 0;
    const Share share = share_of(a.n - head, threads, part, kLine<T>);
    return {part == 0 ? 0 : head + share.begin, head + share.end};
}

template <class T>
void add_team(const AddArgsOf<T>& a, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int part = 0; part < threads; ++part) {
        const Share share = share_of_lines(a, threads, part);
        for_each_stretch(share, a.cols, [&](std::int64_t row, std::int64_t begin, std::int64_t end) {
            add_stretch(a.x + row * a.x_pitch + begin, a.y + row * a.y_pitch + begin, a.z + row * a.z_pitch + begin,
                        end - begin, a.n >= kStreamedElements<T>);
        });
        hwy::FlushStream();
    }
}

void add_floats(const AddArgs& a, int threads) { add_team(a, threads); }
void add_doubles(const AddArgsOf<double>& a, int threads) { add_team(a, threads); }
void add_integers(const AddArgsOf<std::int32_t>& a, int threads) { add_team(a, threads); }
void add_float16s(const AddArgsOf<float16>& a, int threads) { add_team(a, threads); }
void add_bfloat16s(const AddArgsOf<bfloat16>& a, int threads) { add_team(a, threads); }

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace {
HWY_EXPORT(add_floats);
HWY_EXPORT(add_doubles);
HWY_EXPORT(add_integers);
HWY_EXPORT(add_float16s);
HWY_EXPORT(add_bfloat16s);

template <class T>
void launch(const AddArgsOf<T>& a, Team team) {
    if (a.empty()) return;
    if constexpr (std::is_same_v<T, double>)
        HWY_DYNAMIC_DISPATCH(add_doubles)(a, team.threads);
    else if constexpr (std::is_same_v<T, std::int32_t>)
        HWY_DYNAMIC_DISPATCH(add_integers)(a, team.threads);
    else if constexpr (std::is_same_v<T, float16>)
        HWY_DYNAMIC_DISPATCH(add_float16s)(a, team.threads);
    else if constexpr (std::is_same_v<T, bfloat16>)
        HWY_DYNAMIC_DISPATCH(add_bfloat16s)(a, team.threads);
    else
        HWY_DYNAMIC_DISPATCH(add_floats)(a, team.threads);
}

}  // namespace

LANEWORK_RUNG(
    add, simd,
    {
        .climbs_from = "serial",
        .lesson =
            "Several cores keep more lines in flight; streaming stores spare the memory reading z: 3 moves, not 4.",
        .launch = {launch<float>, launch<double>, launch<std::int32_t>, launch<float16>, launch<bfloat16>},
    });
#endif
