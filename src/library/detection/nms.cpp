// nms of <lanework/detection.hpp>: arguments are checked, and the top rung of the ladder is launched.
#include <algorithm>
#include <array>
#include <limits>

#include "ops/nms/operation.hpp"
#include "src/core/array_checks.hpp"
#include "src/core/launch.hpp"
#include "src/library/array/checks.hpp"

namespace lanework {
namespace {

void require_sizes(const BoxBatch& boxes, const Detections& out) {
    image::require_count("nms", "boxes.images", boxes.images);
    image::require_count("nms", "boxes.count", boxes.count);
    image::require_count("nms", "out.capacity", out.capacity);
    image::require_elements("nms", {boxes.images, out.capacity, 4});
}

void require_arrays(const BoxBatch& boxes, const SourceImages& sources, const Detections& out) {
    if (boxes.images == 0) return;
    image::require_array("nms", "out.counts", out.counts);
    image::require_array("nms", "out.dropped", out.dropped);
    if (out.capacity > 0) {
        image::require_array("nms", "out.indices", out.indices);
        if (out.boxes) image::require_array("nms", "out.boxes", out.boxes, image::kBoxAlignment);
    }
    if (sources.to_source) image::require_array("nms", "sources.to_source", sources.to_source);
    if (sources.sizes) image::require_array("nms", "sources.sizes", sources.sizes);
    if (boxes.count == 0) return;
    image::require_array("nms", "boxes.boxes", boxes.boxes, image::kBoxAlignment);
    image::require_array("nms", "boxes.scores", boxes.scores);
    if (boxes.classes) image::require_array("nms", "boxes.classes", boxes.classes);
}

void require_options(const NmsOptions& options) {
    if (!(options.iou_threshold >= 0 && options.iou_threshold <= 1))
        throw UsageError(fmt::format("nms: iou_threshold is {}; from 0 to 1 is right", options.iou_threshold));
    image::require_threshold("nms", "score_threshold", options.score_threshold);
    if (options.top < 0) throw UsageError(fmt::format("nms: top is {}; 0 (all) or more is right", options.top));
}

}  // namespace

std::size_t nms_workspace(std::int64_t count, std::int64_t images) {
    image::require_count("nms", "count", count);
    image::require_count("nms", "images", images);
    image::require_elements("nms", {images, count, 16});
    const Problem problem{extents(count, 1, images, 0, 0, 0), DType::float32};
    const std::array<void*, 9> none{};
    const Operation& operation = find_operation("nms");
    std::size_t bytes = 0;
    for (const DeviceKind kind : kDeviceKinds)
        if (const auto rungs = rungs_by_choice(operation, kind, nullptr); !rungs.empty())
            bytes =
                std::max(bytes, rungs.front()->typed(problem.dtype)->workspace(rungs.front()->entry, problem, {none}));
    return bytes;
}

void nms(const BoxBatch& boxes, const NmsOptions& options, const SourceImages& sources, const Detections& out,
         const Workspace& workspace, Target target) {
    require_sizes(boxes, out);
    require_arrays(boxes, sources, out);
    require_options(options);
    array::require_workspace("nms", workspace, nms_workspace(boxes.count, boxes.images));
    if (boxes.images == 0) return;
    const NmsArgs args{.boxes = boxes.boxes,
                       .scores = boxes.scores,
                       .classes = boxes.classes,
                       .to_source = sources.to_source,
                       .sizes = sources.sizes,
                       .indices = out.indices,
                       .counts = out.counts,
                       .dropped = out.dropped,
                       .kept = out.capacity > 0 ? out.boxes : nullptr,
                       .n = boxes.count,
                       .images = boxes.images,
                       .capacity = out.capacity,
                       .top = options.top,
                       .form = options.form,
                       .iou_threshold = options.iou_threshold,
                       .score_threshold = options.score_threshold,
                       .workspace = workspace.data};
    image::launch(find_operation("nms"), args, target);
}

}  // namespace lanework
