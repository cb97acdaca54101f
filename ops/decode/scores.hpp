// The best class of a candidate, and what is written of it, on every device.
#pragma once

#include "ops/decode/operation.hpp"
#include "ops/nms/overlap.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// A class and its score.
struct Scored {
    float score;
    std::int32_t label;
};

/// What every class is at least as good as.
inline constexpr Scored kWorst{-std::numeric_limits<float>::infinity(), std::numeric_limits<std::int32_t>::max()};

/// The better of two: NaN before every number, the higher score, of equal ones the lower class. Any order of
/// comparisons finds the same best.
constexpr Scored better(const Scored& a, const Scored& b) {
    const bool a_none = !is_number(a.score), b_none = !is_number(b.score);
    if (a_none != b_none) return a_none ? a : b;
    if (!a_none && a.score != b.score) return a.score > b.score ? a : b;
    return a.label < b.label ? a : b;
}

/// The same where `later` is of a higher class.
constexpr Scored better_of_later(const Scored& a, float score, std::int32_t label) {
    return is_number(a.score) && !(score <= a.score) ? Scored{score, label} : a;
}

/// What is written of candidate `at` of all. `objectness` is 1 where there is none.
constexpr void write_decoded(const DecodeArgs& a, std::int64_t at, const float (&box)[4], float objectness,
                             const Scored& best) {
    const float score = a.form == HeadForm::v5 ? objectness * best.score : best.score;
    corners_at(a.boxes, at) = corners_of(BoxForm::cxcywh, box[0], box[1], box[2], box[3]);
    a.scores[at] = !is_number(score)     ? std::numeric_limits<float>::quiet_NaN()
                   : score > a.threshold ? score
                                         : -std::numeric_limits<float>::infinity();
    a.labels[at] = best.label;
}

/// Candidate `index` of an image, by one thread.
constexpr void decode_one(const DecodeArgs& a, std::int64_t image, std::int64_t index) {
    const bool v5 = a.form == HeadForm::v5;
    const float* const first = a.values + image * a.n * a.row() + (v5 ? index * a.row() : index);
    const std::int64_t step = v5 ? 1 : a.n;
    const float box[4] = {first[0], first[step], first[2 * step], first[3 * step]};
    const float* const scores = first + a.head() * step;
    Scored best{scores[0], 0};
    for (std::int64_t c = 1; c < a.classes; ++c)
        best = better_of_later(best, scores[c * step], static_cast<std::int32_t>(c));
    write_decoded(a, image * a.n + index, box, v5 ? first[4] : 1.0F, best);
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
