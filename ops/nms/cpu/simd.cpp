// Classes are parted before boxes are compared, so that a candidate meets none of another's; it is compared with a
// vector of kept boxes at a time. Classes are shared among the threads, and so are the candidates of a large one.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/nms/cpu/simd.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set, so its header comes second.
#include <hwy/highway.h>

#include "ops/nms/cpu/kept_boxes.hpp"
#include "src/cpu/first_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// What overlap_exceeds says of a vector of kept boxes, the first `count` of its lanes.
template <class D>
HWY_INLINE bool any_exceeds(D d, const KeptBoxes& kept, const BoxCandidate& own, float threshold, std::int64_t count) {
    const auto zero = hn::Zero(d);
    const auto valid = hn::FirstN(d, static_cast<std::size_t>(count));
    const bool whole = count == static_cast<std::int64_t>(hn::Lanes(d));
    const auto load = [&](const float* from) HWY_ATTR {
        return whole ? hn::LoadU(d, from) : lanework::HWY_NAMESPACE::load_first(d, from, count);
    };
    const auto x1 = load(kept.x1), x2 = load(kept.x2), y1 = load(kept.y1), y2 = load(kept.y2);
    const auto own_x1 = hn::Set(d, own.box.x1), own_x2 = hn::Set(d, own.box.x2);
    const auto own_y1 = hn::Set(d, own.box.y1), own_y2 = hn::Set(d, own.box.y2);
    const auto width = hn::Sub(hn::Min(x2, own_x2), hn::Max(x1, own_x1));
    const auto height = hn::Sub(hn::Min(y2, own_y2), hn::Max(y1, own_y1));
    // A NaN, the difference of infinities, counts as nothing: IfThenElseZero, where Max might keep it.
    const auto shared =
        hn::Mul(hn::IfThenElseZero(hn::Gt(width, zero), width), hn::IfThenElseZero(hn::Gt(height, zero), height));
    if (threshold >= 0 && hn::AllFalse(d, hn::And(valid, hn::Gt(shared, zero)))) return false;
    const auto areas = hn::Add(load(kept.area), hn::Set(d, own.area));
    const auto quotient = hn::Div(shared, hn::Sub(areas, shared));
    return !hn::AllFalse(d, hn::And(valid, hn::Gt(quotient, hn::Set(d, threshold))));
}

/// Whether one of kept boxes first … count − 1 suppresses the candidate.
bool is_suppressed(const KeptBoxes& kept, std::int64_t first, std::int64_t count, const BoxCandidate& own,
                   float threshold) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t k = first;
    for (; k + lanes <= count; k += lanes)
        if (any_exceeds(d, kept.from(k), own, threshold, lanes)) return true;
    return k < count && any_exceeds(d, kept.from(k), own, threshold, count - k);
}

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace {
HWY_EXPORT(is_suppressed);

void launch(const NmsArgs& a, Team team) { suppress_parted(a, team, HWY_DYNAMIC_DISPATCH(is_suppressed)); }
std::size_t workspace(const NmsArgs& a) { return parted_workspace(a); }
}  // namespace

LANEWORK_RUNG(nms, simd,
              {
                  .climbs_from = "serial",
                  .lesson = "Part the classes; compare with a vector of kept boxes at a time, on all threads.",
                  .launch = launch,
                  .workspace = workspace,
              });
#endif
