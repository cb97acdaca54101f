// nms and decode of <lanework/detection.hpp> on a team, against the serial rung.
#include <cstring>
#include <lanework/detection.hpp>
#include <lanework/registry.hpp>

#include "tests/fuzz/magnitudes/draw.hpp"

namespace lanework::magnitudes {
namespace {

/// Memory that begins at a multiple of 16 bytes, as boxes must.
template <class T>
struct Aligned {
    std::vector<T> memory;
    T* data;

    Aligned(std::size_t count, std::size_t off) : memory(count + 64) {
        data = memory.data();
        while (reinterpret_cast<std::uintptr_t>(data) % 64 != 0) ++data;
        data += off;
    }
};

Team team(Draw& draw) { return {draw.once_in(40) ? draw.whole32() : draw.once_in(4) ? 2 : 1}; }
/// A count that is there, or one that no function may take.
std::int64_t count_of(Draw& draw, int most) { return draw.length(most); }
bool is_there(std::int64_t count) { return count >= 0 && count < 1000; }

void call_nms(Draw& draw) {
    BoxBatch boxes{.images = count_of(draw, 3), .count = count_of(draw, 40)};
    Detections out{.capacity = count_of(draw, 45)};
    const bool there = is_there(boxes.images) && is_there(boxes.count) && is_there(out.capacity);
    const auto of = [&](std::int64_t count) { return there ? static_cast<std::size_t>(boxes.images * count) : 0; };
    Aligned<float> coordinates(4 * of(boxes.count), draw.once_in(50) ? 1 : 0),
        kept(4 * of(out.capacity), draw.once_in(50) ? 1 : 0);
    std::vector<float> scores(of(boxes.count) + 1);
    const bool tame = draw.once_in(2), wild = draw.once_in(3);
    for (std::size_t k = 0; k < 4 * of(boxes.count); ++k)
        coordinates.data[k] = tame ? static_cast<float>(draw.below(30)) : draw.real<float>();
    for (float& score : scores) score = wild ? draw.real<float>() : static_cast<float>(draw.ordinary(0, 1));
    std::vector<std::int32_t> classes(of(boxes.count) + 1), indices(of(out.capacity) + 1), counts(of(1) + 1),
        dropped(of(1) + 1);
    for (std::int32_t& one : classes) one = draw.once_in(3) ? draw.whole32() : draw.below(3);
    boxes.boxes = coordinates.data, boxes.scores = scores.data();
    if (draw.once_in(2)) boxes.classes = classes.data();
    out.indices = indices.data(), out.counts = counts.data(), out.dropped = draw.once_in(40) ? nullptr : dropped.data();
    if (draw.once_in(2)) out.boxes = kept.data;
    NmsOptions options{.form = draw.of({BoxForm::xyxy, BoxForm::xywh, BoxForm::cxcywh})};
    if (draw.once_in(3)) options.iou_threshold = draw.real<float>();
    if (draw.once_in(3)) options.score_threshold = draw.real<float>();
    if (draw.once_in(3)) options.top = draw.whole();
    std::vector<Affine> ways(of(1) + 1);
    std::vector<ImageSize> sizes(of(1) + 1);
    for (Affine& way : ways)
        for (auto& row : way.m)
            for (double& value : row) value = draw.real<double>();
    for (ImageSize& size : sizes) size = {draw.whole32(), draw.whole32()};
    const SourceImages sources{draw.once_in(2) ? ways.data() : nullptr, draw.once_in(2) ? sizes.data() : nullptr};
    std::size_t bytes = nms_workspace(boxes.count, boxes.images);
    if (bytes > 1 << 24) return;  // two counts that are right alone
    Aligned<std::byte> workspace(bytes, 0);
    if (draw.once_in(40) && bytes > 0) --bytes;
    nms(boxes, options, sources, out, {workspace.data, bytes}, team(draw));
    for (std::int64_t image = 0; image < boxes.images; ++image) {
        const auto at = static_cast<std::size_t>(image);
        require(counts[at] >= 0 && counts[at] <= out.capacity && counts[at] <= boxes.count,
                "more are kept than there are");
        for (std::int64_t k = 0; k < out.capacity; ++k) {
            const std::int32_t index =
                indices[at * static_cast<std::size_t>(out.capacity) + static_cast<std::size_t>(k)];
            require(k < counts[at] ? index >= 0 && index < boxes.count : index == -1, "an index is of no box");
        }
    }
}

void call_decode(Draw& draw) {
    HeadOutput head{.form = draw.of({HeadForm::v5, HeadForm::v8}),
                    .images = count_of(draw, 3),
                    .count = count_of(draw, 40),
                    .classes = count_of(draw, 20)};
    const bool there = is_there(head.images) && is_there(head.count) && is_there(head.classes);
    const std::size_t all = there ? static_cast<std::size_t>(head.images * head.count) : 0;
    const auto values =
        draw.reals<float>(there ? all * static_cast<std::size_t>(5 + head.classes) + 1 : 1, draw.once_in(2));
    head.values = draw.once_in(40) ? nullptr : values.data();
    Aligned<float> boxes(4 * all, 0);
    std::vector<float> scores(all + 1);
    std::vector<std::int32_t> classes(all + 1);
    decode(head, draw.once_in(2) ? 0.25F : draw.real<float>(), {boxes.data, scores.data(), classes.data()}, team(draw));
    for (std::size_t k = 0; k < all; ++k) require(classes[k] >= 0 && classes[k] < head.classes, "a class is none");
}

constexpr Fuzzed kTargets[] = {{"nms", call_nms}, {"decode", call_decode}};

}  // namespace

std::span<const Fuzzed> detection_targets() { return kTargets; }

}  // namespace lanework::magnitudes
