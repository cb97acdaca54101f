// Detections for languages that call C: <lanework/detection.hpp> behind two functions and two plain structs. All memory
// is the caller's but scratch memory.
#include <lanework/detection.hpp>

#include "python/native/errors.hpp"
#include "python/native/place.hpp"

extern "C" {
/// Boxes, and what is kept of them. python/lanework/detection.py has the same fields in the same order, here and below.
struct lanework_nms_request {
    const void *boxes, *scores, *classes;  ///< float, float, int32 or null
    void *indices, *counts;                ///< int32: images × capacity, images
    int64_t images, count, capacity, top;
    float iou_threshold, score_threshold;
    int32_t form;  ///< as lanework::BoxForm counts
};

struct lanework_decode_request {
    const void* head;                ///< float
    void *boxes, *scores, *classes;  ///< float, float, int32
    int64_t images, count, classes_of_head;
    float score_threshold;
    int32_t form;  ///< as lanework::HeadForm counts
};
}

namespace {
using namespace lanework;

template <class Run>
int32_t run(const lanework_place& place, const Run& body) noexcept {
    return native::guarded([&] {
        native::Place where(place);
        body(where);
    });
}

}  // namespace

extern "C" {
/// As lanework_arrays, for nms.
[[gnu::visibility("default")]] int32_t lanework_nms(const lanework_nms_request* request,
                                                    const lanework_place* place) noexcept {
    return run(*place, [&](native::Place& where) {
        const BoxBatch boxes{static_cast<const float*>(request->boxes), static_cast<const float*>(request->scores),
                             static_cast<const std::int32_t*>(request->classes), request->images, request->count};
        const NmsOptions options{static_cast<BoxForm>(request->form), request->iou_threshold, request->score_threshold,
                                 request->top};
        const Workspace dropped = where.scratch(static_cast<std::size_t>(request->images) * sizeof(std::int32_t));
        const Detections out{static_cast<std::int32_t*>(request->indices), static_cast<std::int32_t*>(request->counts),
                             static_cast<std::int32_t*>(dropped.data), nullptr, request->capacity};
        const Workspace scratch = where.scratch(nms_workspace(request->count, request->images));
        nms(boxes, options, {}, out, scratch.data, scratch.bytes, where.target());
    });
}

/// As lanework_arrays, for decode.
[[gnu::visibility("default")]] int32_t lanework_decode(const lanework_decode_request* request,
                                                       const lanework_place* place) noexcept {
    return run(*place, [&](native::Place& where) {
        decode({static_cast<const float*>(request->head), static_cast<HeadForm>(request->form), request->images,
                request->count, request->classes_of_head},
               request->score_threshold,
               {static_cast<float*>(request->boxes), static_cast<float*>(request->scores),
                static_cast<std::int32_t*>(request->classes)},
               where.target());
    });
}
}
