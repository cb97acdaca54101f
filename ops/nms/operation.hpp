// Non-maximum suppression: of boxes that overlap too much the one with the highest score is kept.
//
// The candidates of an image are visited by descending score, equal ones by ascending index; one that no kept box of
// its class overlaps by more than the threshold is kept. <lanework/detection.hpp> says it to the last bit.
#pragma once

#include <lanework/detection.hpp>
#include <lanework/rung.hpp>

#include "ops/nms/scenes.hpp"

namespace lanework {

struct NmsArgs {
    using Element = float;
    const float* boxes;           ///< images × n × 4
    const float* scores;          ///< images × n
    const std::int32_t* classes;  ///< images × n, or null
    const Affine* to_source;      ///< images, or null
    const ImageSize* sizes;       ///< images, or null
    std::int32_t* indices;        ///< images × capacity
    std::int32_t* counts;         ///< images
    std::int32_t* dropped;        ///< images
    float* kept;                  ///< images × capacity × 4, or null
    std::int64_t n, images, capacity;
    std::int64_t top;  ///< candidates of an image that are looked at; 0: all
    BoxForm form;
    float iou_threshold, score_threshold;
    void* workspace;

    static NmsArgs from(const Problem& problem, const Buffers& buffers) {
        const NmsScene scene = scene_of(problem);
        const auto [boxes, scores, classes, to_source, sizes, indices, counts, dropped, kept] =
            buffers.arrays<const float, const float, const std::int32_t, const Affine, const ImageSize, std::int32_t,
                           std::int32_t, std::int32_t, float>();
        return {boxes,
                scores,
                scene.agnostic ? nullptr : classes,
                to_source,
                sizes,
                indices,
                counts,
                dropped,
                kept,
                scene.boxes,
                scene.images,
                scene.capacity,
                scene.top,
                scene.form,
                scene.iou_threshold,
                scene.score_threshold,
                buffers.workspace};
    }
    constexpr std::int64_t most_candidates() const { return top > 0 && top < n ? top : n; }
};

}  // namespace lanework

using nms_signature = lanework::Signature<lanework::NmsArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only
