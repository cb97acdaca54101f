// Loading apart: even elements go into some vectors, odd ones into others, so each vector takes one side, as each warp
// does in `divergent_warps`. Eight chains of vectors hide the latency of the multiplications, on every thread.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/divergence/cpu/simd.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set, so its header comes second.
#include <hwy/highway.h>

#include "ops/divergence/operation.hpp"
#include "src/cpu/in_shares.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::ScalableTag<std::uint32_t>;
using Vector = hn::Vec<Words>;

HWY_INLINE Vector multiply_add(Words d, std::uint32_t factor, Vector x, std::uint32_t addend) {
    return hn::Add(hn::Mul(hn::Set(d, factor), x), hn::Set(d, addend));
}
HWY_INLINE Vector even_steps(Words d, Vector x) {
    return hn::Add(hn::Mul(multiply_add(d, 2 * kFactor, x, kOtherFactor), x), hn::Set(d, kAddend));
}
HWY_INLINE Vector odd_steps(Words d, Vector x) {
    const Vector half = hn::Xor(multiply_add(d, kFactor, x, kAddend), hn::Set(d, kMask));
    return hn::Xor(multiply_add(d, kOtherFactor, half, kOtherAddend), hn::Set(d, kOtherMask));
}

/// Steps whole groups of vectors of in[begin, end) and returns the first element that is left. `begin` is even.
std::int64_t step_vectors(const DivergenceArgs& a, std::int64_t begin, std::int64_t end) {
    const Words d;
    const auto pair = 2 * static_cast<std::int64_t>(hn::Lanes(d));
    const auto* const in = reinterpret_cast<const std::uint32_t*>(a.in);
    auto* const out = reinterpret_cast<std::uint32_t*>(a.out);
    std::int64_t i = begin;
    for (; i + 4 * pair <= end; i += 4 * pair) {
        Vector even0, even1, even2, even3, odd0, odd1, odd2, odd3;
        hn::LoadInterleaved2(d, in + i, even0, odd0);
        hn::LoadInterleaved2(d, in + i + pair, even1, odd1);
        hn::LoadInterleaved2(d, in + i + 2 * pair, even2, odd2);
        hn::LoadInterleaved2(d, in + i + 3 * pair, even3, odd3);
        for (std::int64_t round = 0; round < a.rounds; ++round) {
            even0 = even_steps(d, even0), odd0 = odd_steps(d, odd0);
            even1 = even_steps(d, even1), odd1 = odd_steps(d, odd1);
            even2 = even_steps(d, even2), odd2 = odd_steps(d, odd2);
            even3 = even_steps(d, even3), odd3 = odd_steps(d, odd3);
        }
        hn::StoreInterleaved2(even0, odd0, d, out + i);
        hn::StoreInterleaved2(even1, odd1, d, out + i + pair);
        hn::StoreInterleaved2(even2, odd2, d, out + i + 2 * pair);
        hn::StoreInterleaved2(even3, odd3, d, out + i + 3 * pair);
    }
    return i;
}

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace {
HWY_EXPORT(step_vectors);
constexpr std::int64_t kGrain = 512;  // elements: whole groups of vectors of up to 64 lanes

void step(const DivergenceArgs& a, Share share) {
    for (std::int64_t i = HWY_DYNAMIC_DISPATCH(step_vectors)(a, share.begin, share.end); i < share.end; ++i) {
        auto x = static_cast<std::uint32_t>(a.in[i]);
        for (std::int64_t round = 0; round < a.rounds; ++round) x = i % 2 == 0 ? even_step(x) : odd_step(x);
        a.out[i] = static_cast<std::int32_t>(x);
    }
}

void launch(const DivergenceArgs& a, Team team) {
    in_shares(team, a.n, kGrain, [&](Share share) { step(a, share); });
}
}  // namespace

LANEWORK_RUNG(divergence, simd,
              {
                  .climbs_from = "serial",
                  .lesson = "Sort elements by side on loading: a vector whose lanes agree computes one side only.",
                  .launch = launch,
              });
#endif  // HWY_ONCE
