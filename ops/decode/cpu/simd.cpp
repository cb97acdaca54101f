// A vector of scores at a time, on all threads: of v5 a row's classes, of v8 the same class of neighbouring candidates,
// whose best so far stays in the first-level cache while row after row is read as it lies.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/decode/cpu/simd.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set, so its header comes second.
#include <hwy/highway.h>

#include <algorithm>

#include "ops/decode/scores.hpp"
#include "src/cpu/in_shares.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Labels = hn::RebindToSigned<Floats>;

/// What better_of_later says of each lane.
HWY_INLINE void take_better(Labels l, hn::Vec<Floats> score, hn::Vec<Labels> label, hn::Vec<Floats>& best,
                            hn::Vec<Labels>& best_label) {
    const auto is_better = hn::Or(hn::Gt(score, best), hn::AndNot(hn::IsNaN(best), hn::IsNaN(score)));
    best = hn::IfThenElse(is_better, score, best);
    best_label = hn::IfThenElse(hn::RebindMask(l, is_better), label, best_label);
}

/// The best class of a row of scores that lie side by side.
Scored best_of_row(const float* scores, std::int64_t classes) {
    const Floats d;
    const Labels l;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    Scored result{scores[0], 0};
    std::int64_t c = 1;
    if (classes >= lanes) {
        auto best = hn::LoadU(d, scores);
        auto label = hn::Iota(l, 0), best_label = label;
        for (c = lanes; c + lanes <= classes; c += lanes) {
            label = hn::Add(label, hn::Set(l, static_cast<std::int32_t>(lanes)));
            take_better(l, hn::LoadU(d, scores + c), label, best, best_label);
        }
        HWY_ALIGN float each[hn::MaxLanes(d)];
        HWY_ALIGN std::int32_t labels[hn::MaxLanes(d)];
        hn::Store(best, d, each);
        hn::Store(best_label, l, labels);
        result = {each[0], labels[0]};
        for (std::int64_t k = 1; k < lanes; ++k) result = better(result, {each[k], labels[k]});
    }
    for (; c < classes; ++c) result = better_of_later(result, scores[c], static_cast<std::int32_t>(c));
    return result;
}

void decode_rows(const DecodeArgs& a, Share share) {
    for (std::int64_t at = share.begin; at < share.end; ++at) {
        const float* const row = a.values + at * a.row();
        const float box[4] = {row[0], row[1], row[2], row[3]};
        write_decoded(a, at, box, row[4], best_of_row(row + 5, a.classes));
    }
}

constexpr std::int64_t kColumns = 1024;  // candidates whose best stays in the cache

/// Candidates first … first + count − 1 of an image.
void decode_columns(const DecodeArgs& a, std::int64_t image, std::int64_t first, std::int64_t count) {
    const Floats d;
    const Labels l;
    HWY_ALIGN float best[kColumns];
    HWY_ALIGN std::int32_t best_label[kColumns];
    const float* const column = a.values + image * a.row() * a.n + first;
    std::copy_n(column + 4 * a.n, count, best);
    std::fill_n(best_label, count, 0);
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t c = 1; c < a.classes; ++c) {
        const float* const scores = column + (4 + c) * a.n;
        const auto number = static_cast<std::int32_t>(c);
        std::int64_t k = 0;
        for (; k + lanes <= count; k += lanes) {
            auto value = hn::Load(d, best + k);
            auto label = hn::Load(l, best_label + k);
            take_better(l, hn::LoadU(d, scores + k), hn::Set(l, number), value, label);
            hn::Store(value, d, best + k);
            hn::Store(label, l, best_label + k);
        }
        for (; k < count; ++k) {
            const Scored found = better_of_later({best[k], best_label[k]}, scores[k], number);
            best[k] = found.score;
            best_label[k] = found.label;
        }
    }
    for (std::int64_t k = 0; k < count; ++k) {
        const float box[4] = {column[k], column[a.n + k], column[2 * a.n + k], column[3 * a.n + k]};
        write_decoded(a, image * a.n + first + k, box, 1, {best[k], best_label[k]});
    }
}

void decode_share(const DecodeArgs& a, Share share) {
    if (a.form == HeadForm::v5) return decode_rows(a, share);
    for (std::int64_t at = share.begin; at < share.end;) {
        const std::int64_t image = at / a.n, first = at % a.n;
        const std::int64_t count = std::min({kColumns, a.n - first, share.end - at});
        decode_columns(a, image, first, count);
        at += count;
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace {
HWY_EXPORT(decode_share);
constexpr std::int64_t kScoresOfAThread = 16'384;  // below, a thread is not worth its start

void launch(const DecodeArgs& a, Team team) {
    const auto decode = HWY_DYNAMIC_DISPATCH(decode_share);
    const std::int64_t grain = (kScoresOfAThread / a.row() / 64 + 1) * 64;
    in_shares(team, a.images * a.n, grain, [&](Share share) { decode(a, share); });
}
}  // namespace

LANEWORK_RUNG(decode, simd,
              {
                  .climbs_from = "serial",
                  .lesson = "Compare a vector of scores at a time, rows as they lie, on all threads.",
                  .launch = launch,
              });
#endif
