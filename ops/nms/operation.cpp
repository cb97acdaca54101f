// What nms is, which boxes it is verified and timed on, and the definition that decides.
#include "ops/nms/operation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <lanework/operation.hpp>
#include <numeric>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr std::int64_t kUsual[] = {80, 1, 0, 0, 0};
constexpr std::string_view kVariants[] = {"per_class", "agnostic", "xywh", "cxcywh"};
// Around a word and a warp; ties and odd boxes; several tiles and chunks; a top and a capacity that cut off.
constexpr Extents kVerified[] = {
    extents(0, 80, 1, 0, 0, 0),       extents(0, 3, 2, 0, 0, 4),      extents(1, 80, 1, 0, 0, 0),
    extents(2, 1, 1, 0, 0, 0),        extents(31, 1, 2, 3, 0, 0),     extents(33, 2, 3, 7, 0, 0),
    extents(128, 1, 1, 5, 0, 0),      extents(257, 2, 3, 100, 0, 0),  extents(1000, 1, 1, 0, 0, 0),
    extents(1000, 3, 2, 20, 300, 50), extents(1300, 80, 1, 0, 0, 40), extents(2200, 4, 1, 0, 0, 0)};
constexpr Extents kCuda[] = {extents(20'000, 80, 1, 0, 0, 0), extents(8400, 80, 16, 0, 0, 300)};
constexpr Extents kSimt[] = {extents(1000, 80, 1, 0, 0, 0)};
constexpr Extents kCpu[] = {extents(20'000, 80, 1, 0, 0, 0)};

constexpr float kExtent = 100;       // of a scene; sides are as long, as in torchvision's own tests
constexpr std::int64_t kSteps = 16;  // coordinates of a scene with levels are multiples of its sixteenth

std::size_t per_image(const Problem& p) { return static_cast<std::size_t>(scene_of(p).images); }
std::size_t boxes_of(const Problem& p) { return static_cast<std::size_t>(scene_of(p).boxes) * per_image(p); }
std::size_t capacity_of(const Problem& p) { return static_cast<std::size_t>(scene_of(p).capacity) * per_image(p); }

/// Independent draws for one box.
class Draw {
public:
    Draw(std::uint64_t seed, std::size_t box) : seed_(seed), next_(16 * box) {}

    float unit() { return static_cast<float>(random_bits(seed_, next_++) >> 40) * 0x1p-24F; }
    std::int64_t below(std::int64_t end) {
        return static_cast<std::int64_t>(random_bits(seed_, next_++) >> 1) % std::max<std::int64_t>(end, 1);
    }

private:
    std::uint64_t seed_, next_;
};

/// Few values, so that boxes are equal, quotients are exactly the threshold, and sides are 0 or negative.
void draw_odd_box(const NmsScene& scene, Draw& draw, float* box, float& score) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNone = std::numeric_limits<float>::quiet_NaN();
    constexpr float kStep = kExtent / kSteps;
    for (int k = 0; k < 2; ++k) {
        box[k] = kStep * static_cast<float>(draw.below(kSteps));
        box[k + 2] = kStep * static_cast<float>(draw.below(kSteps / 2) - 1);
    }
    const std::int64_t level = draw.below(scene.levels) - scene.levels / 2;
    score = static_cast<float>(level) / static_cast<float>(scene.levels);
    const std::int64_t odd = draw.below(128), which = draw.below(4);
    if (level == 0 && odd % 2 == 0) score = -0.0F;
    if (odd == 1) box[which] = kNone;
    if (odd == 3) box[which] = kInfinity;
    if (odd == 5) score = kNone;
    if (odd == 7) score = kInfinity;
}

void draw_box(const NmsScene& scene, Draw draw, float* box, float& score, std::int32_t& label) {
    label = static_cast<std::int32_t>(draw.below(scene.classes));
    if (scene.levels > 0) {
        draw_odd_box(scene, draw, box, score);
    } else {
        for (int k = 0; k < 4; ++k) box[k] = kExtent * draw.unit();
        score = draw.unit();
    }
    for (int k = 0; k < 2; ++k) {
        if (scene.form == BoxForm::xyxy) box[k + 2] += box[k];
        if (scene.form == BoxForm::cxcywh) box[k] += box[k + 2] * 0.5F;
    }
}

void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const NmsScene scene = scene_of(p);
    const auto [boxes, scores, classes, to_source, sizes] = b.arrays<float, float, std::int32_t, Affine, ImageSize>();
    for (std::size_t i = 0; i < boxes_of(p); ++i) draw_box(scene, Draw(seed, i), boxes + 4 * i, scores[i], classes[i]);
    for (std::size_t image = 0; image < per_image(p); ++image) {
        Draw draw(seed + 1, image);
        Affine affine;
        affine.m = {{{0.5 + draw.unit(), 0, -20 * draw.unit()}, {0, 0.5 + draw.unit(), -20 * draw.unit()}}};
        to_source[image] = affine;
        sizes[image] = {static_cast<std::int32_t>(50 + draw.below(100)),
                        static_cast<std::int32_t>(50 + draw.below(100))};
    }
}

/// Writes box(i) to every box.
template <class Corners>
void each_box(const Problem& p, const Buffers& b, Corners corners) {
    const auto [boxes] = b.arrays<float>();
    for (std::size_t i = 0; i < boxes_of(p); ++i) {
        const std::array<float, 4> box = corners(static_cast<float>(i));
        std::copy(box.begin(), box.end(), boxes + 4 * i);
    }
}

void equal_scores(const Problem& p, std::span<const BufferSpec>, const Buffers& b) {
    const auto [boxes, scores] = b.arrays<float, float>();
    std::fill_n(scores, boxes_of(p), 0.5F);
}
void identical_boxes(const Problem& p, std::span<const BufferSpec> specs, const Buffers& b) {
    equal_scores(p, specs, b);
    each_box(p, b, [](float) { return std::array{10.0F, 20.0F, 30.0F, 40.0F}; });
}
void touching_boxes(const Problem& p, std::span<const BufferSpec>, const Buffers& b) {
    each_box(p, b, [](float i) { return std::array{10 * i, 0.0F, 10 * i + 10, 10.0F}; });
}
void nested_boxes(const Problem& p, std::span<const BufferSpec>, const Buffers& b) {
    each_box(p, b, [](float i) { return std::array{-1 - i, -1 - i, 1 + i, 1 + i}; });
}
void boxes_without_area(const Problem& p, std::span<const BufferSpec>, const Buffers& b) {
    each_box(p, b, [](float) { return std::array{10.0F, 20.0F, 10.0F, 20.0F}; });
}
void boxes_beyond_floats(const Problem& p, std::span<const BufferSpec>, const Buffers& b) {
    constexpr float kThird = std::numeric_limits<float>::max() / 3;
    each_box(p, b, [](float) { return std::array{-kThird, -kThird, kThird, kThird}; });
}

/// Where all boxes are kept, every pair is tested.
bool few_enough(const Problem& p) { return boxes_of(p) <= 2000; }

constexpr Input kInputs[] = {
    {"equal_scores", "random with scores of ½", equal_scores, few_enough},
    {"identical", "of one box, over and over", identical_boxes, few_enough},
    {"touching", "of boxes that share an edge", touching_boxes, few_enough},
    {"nested", "of boxes around one point", nested_boxes, few_enough},
    {"no_area", "of points", boxes_without_area, few_enough},
    {"large", "±max/3", boxes_beyond_floats, few_enough},
    {"infinite", "+∞, −∞, …", in_first_array<patterns::infinities>, few_enough},
    {"nan_boxes", "NaN", in_first_array<patterns::nans>},
    {"nan_scores", "random with scores of NaN", [](const Problem& p, std::span<const BufferSpec>, const Buffers& b) {
         const auto [boxes, scores] = b.arrays<float, float>();
         patterns::nans(DType::float32, scores, boxes_of(p));
     }}};

Extents draw(std::uint64_t seed) {
    const auto drawn = [&](std::uint64_t k, std::uint64_t end) {
        return static_cast<std::int64_t>(random_bits(seed, k) >> 8 & 0xFFFFFFFF) % static_cast<std::int64_t>(end);
    };
    const std::int64_t most[] = {3, 40, 300, 1500};
    const std::int64_t boxes = drawn(0, static_cast<std::uint64_t>(most[drawn(1, 4)]));
    return extents(boxes, std::int64_t{1} << drawn(2, 7), 1 + drawn(3, 3), drawn(4, 2) * (1 + drawn(5, 50)),
                   drawn(6, 3) == 0 ? 1 + drawn(7, 200) : 0, drawn(8, 3) == 0 ? 1 + drawn(9, 100) : 0);
}

/// The least that any method does: read the boxes, write what may be kept, and hold each candidate that is not the best
/// of its class against one other. That is a comparison at least (of boxes that are apart in x), and eleven operations
/// where it ends with a quotient. What more a method must compare is known only when it has been: README.md counts it.
Work work(const Problem& p) {
    const NmsScene scene = scene_of(p);
    const std::size_t box = 5 * sizeof(float) + (scene.agnostic ? 0 : sizeof(std::int32_t));
    const std::int64_t candidates = scene.top > 0 ? std::min(scene.top, scene.boxes) : scene.boxes;
    const std::int64_t tested = scene.levels > 0 || scene.capacity < scene.boxes
                                    ? 0  // boxes may be no candidates, or not be looked at once enough are kept
                                    : std::max<std::int64_t>(candidates - (scene.agnostic ? 1 : scene.classes), 0);
    return {.bytes_read = box * boxes_of(p),
            .bytes_written = 5 * sizeof(float) * capacity_of(p) + 2 * sizeof(std::int32_t) * per_image(p),
            .operations = static_cast<std::uint64_t>(tested) * per_image(p)};
}

/// The four corners in double would round differently: floats, as the definition says.
struct Box {
    float x1, y1, x2, y2;
    float area() const { return (x2 - x1) * (y2 - y1); }
};

Box box_at(const NmsArgs& a, std::int64_t at) {
    const float *const b = a.boxes + 4 * at, half_width = b[2] / 2, half_height = b[3] / 2;
    if (a.form == BoxForm::xywh) return {b[0], b[1], b[0] + b[2], b[1] + b[3]};
    if (a.form == BoxForm::cxcywh)
        return {b[0] - half_width, b[1] - half_height, b[0] + half_width, b[1] + half_height};
    return {b[0], b[1], b[2], b[3]};
}

float iou(const Box& a, const Box& b) {
    const float width = std::max(0.0F, std::min(a.x2, b.x2) - std::max(a.x1, b.x1));
    const float height = std::max(0.0F, std::min(a.y2, b.y2) - std::max(a.y1, b.y1));
    const float both = width * height;
    return both / (a.area() + b.area() - both);
}

void write_box(const NmsArgs& a, std::int64_t image, const Box& box, float* out) {
    const Affine& to = a.to_source[image];
    const ImageSize size = a.sizes[image];
    const auto across = [&](float x) {
        return std::clamp(static_cast<float>(to.m[0][0] * x + to.m[0][2]), 0.0F, static_cast<float>(size.width));
    };
    const auto down = [&](float y) {
        return std::clamp(static_cast<float>(to.m[1][1] * y + to.m[1][2]), 0.0F, static_cast<float>(size.height));
    };
    const float corners[] = {across(box.x1), down(box.y1), across(box.x2), down(box.y2)};
    std::copy_n(corners, 4, out);
}

void reference_image(const NmsArgs& a, std::int64_t image) {
    const std::int64_t first = image * a.n, out = image * a.capacity;
    std::vector<std::int64_t> order;
    a.dropped[image] = 0;
    for (std::int64_t i = first; i < first + a.n; ++i) {
        const Box b = box_at(a, i);
        if (std::isnan(a.scores[i]) || std::isnan(b.x1) || std::isnan(b.y1) || std::isnan(b.x2) || std::isnan(b.y2))
            ++a.dropped[image];
        else if (a.scores[i] > a.score_threshold)
            order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](auto i, auto j) { return a.scores[i] > a.scores[j]; });
    if (a.top > 0 && order.size() > static_cast<std::size_t>(a.top)) order.resize(static_cast<std::size_t>(a.top));
    std::vector<std::int64_t> kept;
    for (const std::int64_t i : order)
        if (std::none_of(kept.begin(), kept.end(), [&](std::int64_t k) {
                return (!a.classes || a.classes[k] == a.classes[i]) &&
                       iou(box_at(a, k), box_at(a, i)) > a.iou_threshold;
            }))
            kept.push_back(i);
    if (kept.size() > static_cast<std::size_t>(a.capacity)) kept.resize(static_cast<std::size_t>(a.capacity));
    a.counts[image] = static_cast<std::int32_t>(kept.size());
    std::fill_n(a.indices + out, a.capacity, -1);
    std::fill_n(a.kept + 4 * out, 4 * a.capacity, 0.0F);
    for (std::size_t k = 0; k < kept.size(); ++k) {
        const std::int64_t to = out + static_cast<std::int64_t>(k);
        a.indices[to] = static_cast<std::int32_t>(kept[k] - first);
        write_box(a, image, box_at(a, kept[k]), a.kept + 4 * to);
    }
}

void reference(const NmsArgs& a) {
    for (std::int64_t image = 0; image < a.images; ++image) reference_image(a, image);
}

}  // namespace

LANEWORK_OPERATION(nms,
                   {
                       .summary = "keeps a box when none kept with a higher score overlaps it: ∩ / ∪ > threshold",
                       .axes = NmsAxes::names,
                       .usual = kUsual,
                       .variants = kVariants,
                       .verified = kVerified,
                       .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                       .draw = draw,
                       .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
                           return {{"boxes", Role::input, DType::float32, 4 * boxes_of(p)},
                                   {"scores", Role::input, DType::float32, boxes_of(p)},
                                   {"classes", Role::input, DType::int32, boxes_of(p)},
                                   {"to_source", Role::input, DType::float64, 6 * per_image(p)},
                                   {"sizes", Role::input, DType::int32, 2 * per_image(p)},
                                   {"indices", Role::output, DType::int32, capacity_of(p)},
                                   {"counts", Role::output, DType::int32, per_image(p)},
                                   {"dropped", Role::output, DType::int32, per_image(p)},
                                   {"kept", Role::output, DType::float32, 4 * capacity_of(p)}};
                       },
                       .work = work,
                       .fill = fill,
                       .inputs = kInputs,
                       .reference = reference,
                       .tolerance =
                           [](const Problem&) {
                               return Tolerance{.reason = "the arithmetic is fixed to the bit: so is what is kept"};
                           },
                   });
