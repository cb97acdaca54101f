// Decoding: each candidate of a detection network becomes a box, its class and its score.
//
// The network's output is taken as it is exported: after the sigmoid, in pixels. <lanework/detection.hpp> says what
// comes out to the last bit.
#pragma once

#include <lanework/detection.hpp>
#include <lanework/rung.hpp>

namespace lanework {

LANEWORK_AXES(DecodeAxes, candidates, classes, images);

struct DecodeArgs {
    using Element = float;
    const float* values;   ///< v5: images × n × (5 + classes); v8: images × (4 + classes) × n
    float* boxes;          ///< images × n × 4, at a multiple of 16 bytes
    float* scores;         ///< images × n
    std::int32_t* labels;  ///< images × n
    std::int64_t n, classes, images;
    HeadForm form;
    float threshold;

    static DecodeArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [values, boxes, scores, labels] = buffers.arrays<const float, float, float, std::int32_t>();
        const auto [candidates, classes, images] = problem.lengths<DecodeAxes>();
        return {values, boxes, scores, labels, candidates, classes, images, static_cast<HeadForm>(problem.variant),
                0.25F};
    }
    /// Numbers before the scores of classes.
    constexpr std::int64_t head() const { return form == HeadForm::v5 ? 5 : 4; }
    /// Numbers of a candidate.
    constexpr std::int64_t row() const { return head() + classes; }
};

}  // namespace lanework

using decode_signature = lanework::Signature<lanework::DecodeArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
