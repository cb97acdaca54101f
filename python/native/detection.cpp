// Detections for languages that call C: <lanework/detection.hpp> behind two functions and two plain structs. All memory
// is the caller's but scratch memory.
#include <lanework/detection.hpp>

#include "python/native/errors.hpp"
#include "python/native/place.hpp"

extern "C" {
/// Boxes, and what is kept of them. python/lanework/detection.py has the same fields in the same order, here and below.
struct lanework_nms_request {
    const void *boxes, *scores, *classes;  ///< float, float, int32 or null
    const void *to_source, *sizes;         ///< lanework::Affine and lanework::ImageSize of each image, or null
    void *indices, *counts, *kept;  ///< int32: images × capacity, images; float: images × capacity × 4, or null. No
                                    ///< counts are needed where the number is written
    int64_t images, count, capacity, top;
    float iou_threshold, score_threshold;
    int32_t form;             ///< as lanework::BoxForm counts
    int32_t sources_on_host;  ///< 1: to_source, 2: sizes, where the rest is a GPU's
    int64_t number;           ///< −1: nobody waits; else written, of one image: how many boxes are kept
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

/// What there is of each image, in the memory of the target.
template <class T>
const T* of_images(const void* given, int64_t images, bool on_host, native::Place& where) {
    const auto* const there = static_cast<const T*>(given);
    if (!there || !on_host) return there;
    return where.copy(std::span<const T>(there, static_cast<std::size_t>(images)));
}

/// How many boxes of the only image are kept, which is waited for.
int64_t wait_for_number(const void* counts, native::Place& where) {
    std::int32_t number = 0;
    if (where.on_gpu())
        where.gpu().read(&number, counts, sizeof number);
    else
        number = *static_cast<const std::int32_t*>(counts);
    return number;
}

}  // namespace

extern "C" {
/// As lanework_arrays, for nms.
[[gnu::visibility("default")]] int32_t lanework_nms(lanework_nms_request* request,
                                                    const lanework_place* place) noexcept {
    return run(*place, [&](native::Place& where) {
        const bool waits = request->number >= 0;
        if (waits && where.on_gpu()) where.gpu().require_no_capture("the number of boxes; give out");
        const BoxBatch boxes{static_cast<const float*>(request->boxes), static_cast<const float*>(request->scores),
                             static_cast<const std::int32_t*>(request->classes), request->images, request->count};
        const NmsOptions options{static_cast<BoxForm>(request->form), request->iou_threshold, request->score_threshold,
                                 request->top};
        // The workspace, and behind it two numbers of each image: memory is taken once.
        const std::size_t bytes = nms_workspace(request->count, request->images);
        const std::size_t of_numbers = 2 * static_cast<std::size_t>(request->images) * sizeof(std::int32_t);
        const std::size_t before = (bytes + alignof(std::int32_t) - 1) / alignof(std::int32_t) * alignof(std::int32_t);
        void* const room = where.scratch(before + of_numbers).data;
        auto* const dropped = reinterpret_cast<std::int32_t*>(static_cast<std::byte*>(room) + before);
        std::int32_t* const counts = dropped + request->images;
        const Detections out{static_cast<std::int32_t*>(request->indices),
                             request->counts ? static_cast<std::int32_t*>(request->counts) : counts, dropped,
                             static_cast<float*>(request->kept), request->capacity};
        const SourceImages sources{
            of_images<Affine>(request->to_source, request->images, (request->sources_on_host & 1) != 0, where),
            of_images<ImageSize>(request->sizes, request->images, (request->sources_on_host & 2) != 0, where)};
        nms(boxes, options, sources, out, {room, bytes}, where.target());
        if (waits) request->number = wait_for_number(out.counts, where);
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
