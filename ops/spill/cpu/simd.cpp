// The ring in sixteen vector registers, as `registers` has it in scalar ones: sixteen steps are written out, so that no
// place is computed. A vector holds as many elements as fit, and every thread has its own.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/spill/cpu/simd.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set, so its header comes second.
#include <hwy/highway.h>

#include "ops/spill/cpu/ring.hpp"
#include "src/cpu/in_shares.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::ScalableTag<std::uint32_t>;
using Vector = hn::Vec<Words>;

/// Runs the rings of whole vectors of in[begin, end) and returns the first element that is left.
std::int64_t run_vectors(const SpillArgs& a, std::int64_t begin, std::int64_t end) {
    const Words d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const Vector multiplier = hn::Set(d, kMultiplier);
    std::int64_t i = begin;
    for (; i + lanes <= end; i += lanes) {
        const Vector x = hn::LoadU(d, reinterpret_cast<const std::uint32_t*>(a.in) + i);
        const auto start = [&](std::uint32_t place) HWY_ATTR {
            return hn::Add(hn::Mul(hn::Xor(x, hn::Set(d, place)), multiplier), hn::Set(d, place));
        };
        Vector v0 = start(0), v1 = start(1), v2 = start(2), v3 = start(3), v4 = start(4), v5 = start(5);
        Vector v6 = start(6), v7 = start(7), v8 = start(8), v9 = start(9), v10 = start(10), v11 = start(11);
        Vector v12 = start(12), v13 = start(13), v14 = start(14), v15 = start(15);
        static_assert(kRing == 16 && kLag == 5, "a turn is written for these");
        const auto turn = [&](auto step) HWY_ATTR {
            step(v0, v11), step(v1, v12), step(v2, v13), step(v3, v14), step(v4, v15), step(v5, v0);
            step(v6, v1), step(v7, v2), step(v8, v3), step(v9, v4), step(v10, v5), step(v11, v6);
            step(v12, v7), step(v13, v8), step(v14, v9), step(v15, v10);
        };
        const auto advance = [&](Vector& oldest, Vector lagged)
                                 HWY_ATTR { oldest = hn::Add(hn::Mul(oldest, multiplier), lagged); };
        std::int64_t left = a.steps;
        for (; left >= kRing; left -= kRing) turn(advance);
        turn([&](Vector& oldest, Vector lagged) HWY_ATTR {
            if (left-- > 0) advance(oldest, lagged);
        });
        Vector result = hn::Zero(d);
        const auto fold = [&](Vector value) HWY_ATTR { result = hn::Mul(hn::Xor(result, value), multiplier); };
        fold(v0), fold(v1), fold(v2), fold(v3), fold(v4), fold(v5), fold(v6), fold(v7), fold(v8), fold(v9);
        fold(v10), fold(v11), fold(v12), fold(v13), fold(v14), fold(v15);
        hn::StoreU(result, d, reinterpret_cast<std::uint32_t*>(a.out) + i);
    }
    return i;
}

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace {
HWY_EXPORT(run_vectors);
constexpr std::int64_t kGrain = 64;  // elements: whole vectors of up to 64 lanes

void run(const SpillArgs& a, Share share) {
    for (std::int64_t i = HWY_DYNAMIC_DISPATCH(run_vectors)(a, share.begin, share.end); i < share.end; ++i)
        a.out[i] = static_cast<std::int32_t>(run_ring(static_cast<std::uint32_t>(a.in[i]), a.steps));
}

void launch(const SpillArgs& a, Team team) {
    in_shares(team, a.n, kGrain, [&](Share share) { run(a, share); });
}
}  // namespace

LANEWORK_RUNG(spill, simd,
              {
                  .climbs_from = "serial",
                  .lesson = "Sixteen steps written out keep the ring in vector registers, of as many elements as fit.",
                  .launch = launch,
              });
#endif  // HWY_ONCE
