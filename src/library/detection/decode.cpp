// decode of <lanework/detection.hpp>: arguments are checked, and the top rung of the ladder is launched.
#include "ops/decode/operation.hpp"
#include "src/core/array_checks.hpp"
#include "src/core/launch.hpp"

namespace lanework {

void decode(const HeadOutput& head, float score_threshold, const DecodedBoxes& out, Target target) {
    image::require_count("decode", "head.images", head.images);
    image::require_count("decode", "head.count", head.count);
    image::require_count("decode", "head.classes", head.classes);
    if (head.classes == 0) throw UsageError("decode: head.classes is 0; a candidate has one class at least");
    image::require_elements("decode", {head.images, head.count, head.classes});
    image::require_threshold("decode", "score_threshold", score_threshold);
    if (head.images == 0 || head.count == 0) return;
    image::require_array("decode", "head.values", head.values);
    image::require_array("decode", "out.boxes", out.boxes, image::kBoxAlignment);
    image::require_array("decode", "out.scores", out.scores);
    image::require_array("decode", "out.classes", out.classes);
    const DecodeArgs args{.values = head.values,
                          .boxes = out.boxes,
                          .scores = out.scores,
                          .labels = out.classes,
                          .n = head.count,
                          .classes = head.classes,
                          .images = head.images,
                          .form = head.form,
                          .threshold = score_threshold};
    image::launch(find_operation("decode"), args, target);
}

}  // namespace lanework
