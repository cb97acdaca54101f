// Eight vectors of running sums hide the latency of additions, and every thread of the team reads its own stretch: the
// memory is the limit. Each sixteen rounds the eight go into one vector, and each 4096 elements that goes into a
// compensated total, so that no float adds for long: of 4096 elements each goes through 16 roundings, 3 among the
// vectors, at most 16 of the totals of rounds and 7 more (with vectors of 16 bytes), and log2(lanes); a tree would
// have 12.
#include <algorithm>

#include "ops/reduce/operation.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/reduce/cpu/simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lanework::reduce_simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Sum of n elements, in T.
template <class T>
T vector_sum(const T* in, std::int64_t n) {
    constexpr int kSums = 8, kRounds = 16;
    const hn::ScalableTag<T> d;
    const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto zero = hn::Zero(d);
    auto total = zero;
    std::int64_t i = 0;
    while (i + kSums * lanes <= n) {
        auto s0 = zero, s1 = zero, s2 = zero, s3 = zero, s4 = zero, s5 = zero, s6 = zero, s7 = zero;
        const std::int64_t end = std::min(n, i + kRounds * kSums * lanes);
        for (; i + kSums * lanes <= end; i += kSums * lanes) {
            const T* const p = in + i;
            s0 = hn::Add(s0, hn::LoadU(d, p));
            s1 = hn::Add(s1, hn::LoadU(d, p + lanes));
            s2 = hn::Add(s2, hn::LoadU(d, p + 2 * lanes));
            s3 = hn::Add(s3, hn::LoadU(d, p + 3 * lanes));
            s4 = hn::Add(s4, hn::LoadU(d, p + 4 * lanes));
            s5 = hn::Add(s5, hn::LoadU(d, p + 5 * lanes));
            s6 = hn::Add(s6, hn::LoadU(d, p + 6 * lanes));
            s7 = hn::Add(s7, hn::LoadU(d, p + 7 * lanes));
        }
        const auto low = hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), high = hn::Add(hn::Add(s4, s5), hn::Add(s6, s7));
        total = hn::Add(total, hn::Add(low, high));
    }
    for (; i + lanes <= n; i += lanes) total = hn::Add(total, hn::LoadU(d, in + i));
    // Not SumOfLanes: for integers its last steps are signed additions, whose overflow is undefined; plus() wraps
    // around.
    HWY_ALIGN T each[HWY_MAX_BYTES / sizeof(T)];
    hn::Store(total, d, each);
    T sum{};
    for (; i < n; ++i) sum = plus(sum, in[i]);
    for (std::int64_t half = lanes / 2; half > 0; half /= 2)
        for (std::int64_t lane = 0; lane < half; ++lane) each[lane] = plus(each[lane], each[lane + half]);
    return plus(sum, each[0]);
}

std::int32_t sum_int32(const std::int32_t* in, std::int64_t n) { return vector_sum(in, n); }
float sum_float(const float* in, std::int64_t n) { return vector_sum(in, n); }
double sum_double(const double* in, std::int64_t n) { return vector_sum(in, n); }

}  // namespace lanework::reduce_simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <vector>

#include "ops/reduce/cpu/compensated.hpp"
#include "src/cpu/share.hpp"

namespace lanework::reduce_simd {
HWY_EXPORT(sum_int32);
HWY_EXPORT(sum_float);
HWY_EXPORT(sum_double);
}  // namespace lanework::reduce_simd

namespace {
constexpr std::int64_t kPart = 4096;              // elements summed in T
constexpr std::int64_t kWorthATeam = 16 * kPart;  // fewer elements are summed sooner than threads wake up

template <class T>
auto part_sum() {
    using namespace lanework::reduce_simd;
    if constexpr (std::is_same_v<T, float>)
        return HWY_DYNAMIC_DISPATCH(sum_float);
    else
        return HWY_DYNAMIC_DISPATCH(sum_double);
}

template <class T>
void launch(const ReduceArgs<T>& a, Team team) {
    const int threads = a.n < kWorthATeam ? 1 : team.threads;
    std::vector<Compensated> sums(static_cast<std::size_t>(threads));
    const auto sum = part_sum<T>();
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; ++t) {
        const Share share = share_of(a.n, threads, t, kPart);
        Compensated total;
        for_each_stretch(share, a.cols, [&](std::int64_t row, std::int64_t begin, std::int64_t end) {
            const T* const in = a.in + row * a.pitch;
            for (std::int64_t i = begin; i < end; i += kPart)
                total.add(static_cast<double>(sum(in + i, std::min(kPart, end - i))));
        });
        sums[static_cast<std::size_t>(t)] = total;
    }
    Compensated total;
    for (const Compensated& s : sums) total.add(s.value());
    *a.out = static_cast<T>(total.value());
}

void launch_integers(const ReduceArgs<std::int32_t>& a, Team team) {
    using namespace lanework::reduce_simd;
    const int threads = a.n < kWorthATeam ? 1 : team.threads;
    const auto sum = HWY_DYNAMIC_DISPATCH(sum_int32);
    std::uint32_t total = 0;
#pragma omp parallel for num_threads(threads) schedule(static, 1) reduction(+ : total)
    for (int t = 0; t < threads; ++t) {
        const Share share = share_of(a.n, threads, t, kPart);
        for_each_stretch(share, a.cols, [&](std::int64_t row, std::int64_t begin, std::int64_t end) {
            total += static_cast<std::uint32_t>(sum(a.in + row * a.pitch + begin, end - begin));
        });
    }
    *a.out = static_cast<std::int32_t>(total);
}
}  // namespace

LANEWORK_RUNG(
    reduce, simd,
    {
        .climbs_from = "serial",
        .lesson = "Eight independent vectors of sums per thread, all threads: additions stop waiting for each other.",
        .launch = {launch_integers, launch<float>, launch<double>},
        .refuses = refuse_other_forms,
    });

#endif  // HWY_ONCE
