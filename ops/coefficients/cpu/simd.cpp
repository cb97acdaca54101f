// What `registers` is on a GPU: a coefficient is loaded and spread over a vector once, and eight vectors of elements
// use it; their products do not wait for each other. Every thread has its own elements.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/coefficients/cpu/simd.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set, so its header comes second.
#include <hwy/highway.h>

#include "ops/coefficients/operation.hpp"
#include "src/cpu/in_shares.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::ScalableTag<std::uint32_t>;
using Vector = hn::Vec<Words>;

/// Evaluates whole groups of vectors of in[begin, end) and returns the first element that is left.
std::int64_t evaluate_vectors(const CoefficientsArgs& a, std::int64_t begin, std::int64_t end) {
    const Words d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto* const in = reinterpret_cast<const std::uint32_t*>(a.in);
    auto* const out = reinterpret_cast<std::uint32_t*>(a.out);
    std::int64_t i = begin;
    for (; i + 8 * lanes <= end; i += 8 * lanes) {
        const auto load = [&](std::int64_t vector) HWY_ATTR { return hn::LoadU(d, in + i + vector * lanes); };
        const Vector x0 = load(0), x1 = load(1), x2 = load(2), x3 = load(3);
        const Vector x4 = load(4), x5 = load(5), x6 = load(6), x7 = load(7);
        Vector p0 = hn::Set(d, 1), p1 = p0, p2 = p0, p3 = p0, p4 = p0, p5 = p0, p6 = p0, p7 = p0;
        for (std::int64_t k = 0; k < a.degree; ++k) {
            const Vector coefficient = hn::Set(d, static_cast<std::uint32_t>(a.coefficients[k]));
            const auto times = [&](Vector& product, Vector x)
                                   HWY_ATTR { product = hn::Mul(product, hn::Add(x, coefficient)); };
            times(p0, x0), times(p1, x1), times(p2, x2), times(p3, x3);
            times(p4, x4), times(p5, x5), times(p6, x6), times(p7, x7);
        }
        std::int64_t at = i;
        const auto store = [&](Vector product) HWY_ATTR {
            hn::StoreU(product, d, out + at);
            at += lanes;
        };
        store(p0), store(p1), store(p2), store(p3), store(p4), store(p5), store(p6), store(p7);
    }
    return i;
}

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace {
HWY_EXPORT(evaluate_vectors);
constexpr std::int64_t kGrain = 512;  // elements: whole groups of vectors of up to 64 lanes

void evaluate(const CoefficientsArgs& a, Share share) {
    for (std::int64_t i = HWY_DYNAMIC_DISPATCH(evaluate_vectors)(a, share.begin, share.end); i < share.end; ++i) {
        std::uint32_t product = 1;
        for (std::int64_t k = 0; k < a.degree; ++k)
            product = times_factor(product, static_cast<std::uint32_t>(a.in[i]),
                                   static_cast<std::uint32_t>(a.coefficients[k]));
        a.out[i] = static_cast<std::int32_t>(product);
    }
}

void launch(const CoefficientsArgs& a, Team team) {
    in_shares(team, a.n, kGrain, [&](Share share) { evaluate(a, share); });
}
}  // namespace

LANEWORK_RUNG(coefficients, simd,
              {
                  .climbs_from = "serial",
                  .lesson = "Load a coefficient once for eight vectors of elements, whose products run side by side.",
                  .launch = launch,
              });
#endif  // HWY_ONCE
