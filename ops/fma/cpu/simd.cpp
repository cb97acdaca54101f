// Twelve chains of the widest vectors, on every thread: more than latency × pipes of any x86-64 core since Haswell
// (5 cycles × 2 pipes), and together with a and b no more than its 16 registers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/fma/cpu/simd.cpp"  // once for every instruction set
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/fma/operation.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Floating-point: one rounding where the processor can.
template <class T, class V>
HWY_INLINE V multiply_add(V x, V a, V b) {
    if constexpr (hwy::IsFloat<T>())
        return hn::MulAdd(x, a, b);
    else
        return hn::Add(hn::Mul(x, a), b);
}

template <class T, class V, class... Chains>
HWY_INLINE void advance(std::int64_t steps, V a, V b, Chains&... x) {
    for (; steps > 0; --steps) ((x = multiply_add<T>(x, a, b)), ...);
}

// Elements [begin, end); begin is a multiple of kGrain.
template <class T>
HWY_INLINE void run_chains(const FmaArgs<T>& args, std::int64_t begin, std::int64_t end) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto a = hn::Set(d, args.coefficients[0]), b = hn::Set(d, args.coefficients[1]);
    // The starts repeat after a whole number of vectors.
    const auto start = [&](std::int64_t i) HWY_ATTR { return hn::LoadU(d, args.starts + i % kStarts); };

    std::int64_t i = begin;
    for (; i + 12 * lanes <= end; i += 12 * lanes) {
        auto x0 = start(i), x1 = start(i + lanes), x2 = start(i + 2 * lanes), x3 = start(i + 3 * lanes);
        auto x4 = start(i + 4 * lanes), x5 = start(i + 5 * lanes), x6 = start(i + 6 * lanes);
        auto x7 = start(i + 7 * lanes), x8 = start(i + 8 * lanes), x9 = start(i + 9 * lanes);
        auto x10 = start(i + 10 * lanes), x11 = start(i + 11 * lanes);
        advance<T>(args.steps, a, b, x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11);
        std::int64_t at = i;
        const auto store = [&](auto x) HWY_ATTR {
            hn::StoreU(x, d, args.out + at);
            at += lanes;
        };
        store(x0), store(x1), store(x2), store(x3), store(x4), store(x5);
        store(x6), store(x7), store(x8), store(x9), store(x10), store(x11);
    }
    for (; i + lanes <= end; i += lanes) {
        auto x = start(i);
        advance<T>(args.steps, a, b, x);
        hn::StoreU(x, d, args.out + i);
    }
    const hn::CappedTag<T, 1> one;
    for (; i < end; ++i) {
        auto x = hn::Load(one, args.starts + i % kStarts);
        advance<T>(args.steps, hn::Set(one, args.coefficients[0]), hn::Set(one, args.coefficients[1]), x);
        hn::Store(x, one, args.out + i);
    }
}

void run_floats(const FmaArgs<float>& args, std::int64_t begin, std::int64_t end) { run_chains(args, begin, end); }
void run_doubles(const FmaArgs<double>& args, std::int64_t begin, std::int64_t end) { run_chains(args, begin, end); }
void run_integers(const FmaArgs<std::int32_t>& args, std::int64_t begin, std::int64_t end) {
    run_chains(args, begin, end);
}

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <omp.h>

#include "src/cpu/share.hpp"

namespace {
HWY_EXPORT(run_floats);
HWY_EXPORT(run_doubles);
HWY_EXPORT(run_integers);

constexpr std::int64_t kGrain = 12 * 64;  // elements: whole groups of chains, for vectors of up to 64 lanes

void run(const FmaArgs<float>& a, Share share) { HWY_DYNAMIC_DISPATCH(run_floats)(a, share.begin, share.end); }
void run(const FmaArgs<double>& a, Share share) { HWY_DYNAMIC_DISPATCH(run_doubles)(a, share.begin, share.end); }
void run(const FmaArgs<std::int32_t>& a, Share share) { HWY_DYNAMIC_DISPATCH(run_integers)(a, share.begin, share.end); }

template <class T>
void launch(const FmaArgs<T>& a, Team team) {
#pragma omp parallel num_threads(team.threads)
    run(a, share_of(a.elements, omp_get_num_threads(), omp_get_thread_num(), kGrain));
}
}  // namespace

LANEWORK_RUNG(fma, simd,
              {
                  .climbs_from = "serial",
                  .lesson = "Vectors × independent chains × cores: the product is the peak, and each factor is needed.",
                  .launch = {launch<float>, launch<double>, launch<std::int32_t>},
              });
#endif
