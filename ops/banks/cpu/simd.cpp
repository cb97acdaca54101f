// Lanes are elements that all need the same word: one broadcast load feeds them, as in `broadcast` on a GPU. Eight
// vectors of elements share each word, so that loads are few and the multiplications' latency is hidden; every thread
// has its own elements.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/banks/cpu/simd.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set, so its header comes second.
#include <hwy/highway.h>

#include "ops/banks/cpu/sweep.hpp"
#include "src/cpu/in_shares.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::ScalableTag<std::uint32_t>;
using Vector = hn::Vec<Words>;

template <class... Vectors>
HWY_INLINE void take_in_row(Words d, const std::int32_t* row, Vectors&... x) {
    const Vector multiplier = hn::Set(d, kMultiplier);
    for (int word = 0; word < kWords; word += 2) {
        const Vector first = hn::Set(d, static_cast<std::uint32_t>(row[word]));
        const Vector second = hn::Set(d, static_cast<std::uint32_t>(row[word + 1]));
        ((x = hn::Add(hn::Mul(hn::Xor(x, first), multiplier), second)), ...);
    }
}

/// Writes whole groups of vectors of out[begin, end) and returns the first element that is left.
std::int64_t sweep_vectors(const BanksArgs& a, std::int64_t begin, std::int64_t end) {
    const Words d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    auto* const out = reinterpret_cast<std::uint32_t*>(a.out);
    std::int64_t i = begin;
    for (; i + 8 * lanes <= end; i += 8 * lanes) {
        const auto start = [&](std::int64_t vector)
                               HWY_ATTR { return hn::Iota(d, static_cast<std::uint32_t>(i + vector * lanes)); };
        Vector x0 = start(0), x1 = start(1), x2 = start(2), x3 = start(3);
        Vector x4 = start(4), x5 = start(5), x6 = start(6), x7 = start(7);
        for (std::int64_t sweep = 0; sweep < a.sweeps; ++sweep) {
            Vector s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
            for (const std::int32_t* row = a.table; row != a.table + kTableWords; row += kWords) {
                Vector h0 = x0, h1 = x1, h2 = x2, h3 = x3, h4 = x4, h5 = x5, h6 = x6, h7 = x7;
                take_in_row(d, row, h0, h1, h2, h3, h4, h5, h6, h7);
                s0 = hn::Add(s0, h0), s1 = hn::Add(s1, h1), s2 = hn::Add(s2, h2), s3 = hn::Add(s3, h3);
                s4 = hn::Add(s4, h4), s5 = hn::Add(s5, h5), s6 = hn::Add(s6, h6), s7 = hn::Add(s7, h7);
            }
            x0 = s0, x1 = s1, x2 = s2, x3 = s3, x4 = s4, x5 = s5, x6 = s6, x7 = s7;
        }
        std::int64_t at = i;
        const auto store = [&](Vector x) HWY_ATTR {
            hn::StoreU(x, d, out + at);
            at += lanes;
        };
        store(x0), store(x1), store(x2), store(x3), store(x4), store(x5), store(x6), store(x7);
    }
    return i;
}

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace {
HWY_EXPORT(sweep_vectors);
constexpr std::int64_t kGrain = 512;  // elements: whole groups of vectors of up to 64 lanes

void sweep(const BanksArgs& a, Share share) {
    for (std::int64_t i = HWY_DYNAMIC_DISPATCH(sweep_vectors)(a, share.begin, share.end); i < share.end; ++i)
        a.out[i] = swept(a, i);
}

void launch(const BanksArgs& a, Team team) {
    in_shares(team, a.n, kGrain, [&](Share share) { sweep(a, share); });
}
}  // namespace

LANEWORK_RUNG(banks, simd,
              {
                  .climbs_from = "serial",
                  .lesson = "One load of a word feeds a vector of elements, and eight vectors share it.",
                  .launch = launch,
              });
#endif  // HWY_ONCE
