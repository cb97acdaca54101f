// The boxes that nms is verified and timed on: what a problem's axes mean.
#pragma once

#include <lanework/detection.hpp>
#include <lanework/problem.hpp>

namespace lanework {

LANEWORK_AXES(NmsAxes, boxes, classes, images, levels, top, capacity);

/// In the order of the operation's variants.
enum class NmsVariant : std::uint8_t { per_class, agnostic, xywh, cxcywh };

struct NmsScene {
    std::int64_t boxes, classes, images;
    /// How many different scores there are; coordinates are then whole numbers of few values too, and some are no
    /// numbers. 0: all are drawn from a continuum.
    std::int64_t levels;
    std::int64_t top, capacity;
    bool agnostic;
    BoxForm form;
    float iou_threshold, score_threshold;
};

constexpr NmsScene scene_of(const Problem& p) {
    const auto variant = static_cast<NmsVariant>(p.variant);
    const auto [boxes, classes, images, levels, top, capacity] = p.lengths<NmsAxes>();
    NmsScene scene{.boxes = boxes,
                   .classes = classes,
                   .images = images,
                   .levels = levels,
                   .top = top,
                   .capacity = capacity > 0 ? capacity : boxes,
                   .agnostic = variant == NmsVariant::agnostic,
                   .form = BoxForm::xyxy,
                   .iou_threshold = 0.5F,
                   .score_threshold = -std::numeric_limits<float>::infinity()};
    if (variant == NmsVariant::xywh) scene.form = BoxForm::xywh;
    if (variant == NmsVariant::cxcywh) scene.form = BoxForm::cxcywh;
    // One of the scores that occur: it is not above itself. Zeros of either sign lie above it.
    if (levels > 0) scene.score_threshold = -static_cast<float>(levels / 2) / static_cast<float>(levels);
    return scene;
}

}  // namespace lanework
