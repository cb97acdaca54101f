// lanework compute nms and decode: a network's rows become boxes, and of boxes that overlap the best are kept; from
// arrays or JSON to arrays or JSON.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <lanework/detection.hpp>
#include <lanework/device_array.hpp>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>
#include <optional>

#include "src/cli/boxes.hpp"
#include "src/cli/compute.hpp"
#include "src/cli/outputs.hpp"
#include "src/cli/progress.hpp"
#include "src/core/exit_status.hpp"
#include "src/io/file.hpp"
#include "src/io/npy.hpp"

namespace lanework {
namespace {

constexpr double kDecodeScore = 0.25;

bool is_json(const std::string& path) { return path.ends_with(".json"); }

template <class T>
std::span<const std::uint8_t> bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
std::vector<T> values_of(const FileArray& array) {
    std::vector<T> values(array.bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
    return values;
}

/// Boxes of pictures side by side: [images][count]. Where pictures have fewer, the others' score is −∞, which no
/// threshold lets pass.
struct Candidates {
    std::int64_t images = 0, count = 0;
    std::vector<float> boxes, scores;
    std::vector<std::int32_t> classes;  ///< none: all are of one class
    std::vector<Json> pictures;

    void name_pictures() {
        for (std::int64_t image = 0; image < images; ++image) pictures.push_back(Json(image));
    }
    /// Those of them, in their order, that stand at these places.
    FoundBox at(std::int64_t image, std::int64_t index, const float* corners) const {
        const auto place = static_cast<std::size_t>(image * count + index);
        FoundBox box{.picture = static_cast<std::size_t>(image),
                     .score = scores[place],
                     .label = classes.empty() ? 0 : classes[place]};
        std::copy_n(corners, 4, box.corners);
        return box;
    }
};

void require_type(std::string_view operation, const FileArray& array, DType type) {
    if (array.given.dtype != type)
        throw UsageError(fmt::format("{}: {} holds {}; {} is right", operation, array.given.name,
                                     name_of(array.given.dtype), name_of(type)));
}

/// NumPy's whole numbers are int64 where nobody says otherwise.
std::vector<std::int32_t> labels_of(const FileArray& array) {
    if (array.given.dtype != DType::int64) {
        require_type("nms", array, DType::int32);
        return values_of<std::int32_t>(array);
    }
    std::vector<std::int32_t> labels;
    for (const std::int64_t label : values_of<std::int64_t>(array)) {
        if (label != static_cast<std::int32_t>(label))
            throw UsageError(fmt::format("nms: {} holds the class {}, which is beyond int32", array.given.name, label));
        labels.push_back(static_cast<std::int32_t>(label));
    }
    return labels;
}

void require_shape(const FileArray& array, const std::vector<std::int64_t>& right) {
    if (array.given.shape != right)
        throw UsageError(fmt::format("nms: {} is {}; {} is right", array.given.name, shape_in_words(array.given.shape),
                                     shape_in_words(right)));
}

Candidates from_arrays(std::vector<FileArray> arrays) {
    constexpr std::string_view kNames[] = {"boxes", "scores", "classes"};
    arrays = by_names(std::move(arrays), kNames);
    if (arrays.size() > 3) arrays = by_names(std::move(arrays), std::span(kNames).first(2));
    if (arrays.size() < 2 || arrays.size() > 3)
        throw UsageError(fmt::format("nms: {} array{} given; two or three are right: boxes, scores, classes",
                                     arrays.size(), arrays.size() == 1 ? " is" : "s are"));
    const FileArray& boxes = arrays[0];
    require_type("nms", boxes, DType::float32);
    require_type("nms", arrays[1], DType::float32);
    std::vector<std::int64_t> shape = boxes.given.shape;
    if ((shape.size() != 2 && shape.size() != 3) || shape.back() != 4)
        throw UsageError(
            fmt::format("nms: {} is {}; boxes×4 or images×boxes×4 is right", boxes.given.name, shape_in_words(shape)));
    shape.pop_back();
    for (std::size_t k = 1; k < arrays.size(); ++k) require_shape(arrays[k], shape);
    Candidates candidates{.images = shape.size() == 2 ? shape[0] : 1,
                          .count = shape.back(),
                          .boxes = values_of<float>(boxes),
                          .scores = values_of<float>(arrays[1]),
                          .classes = {},
                          .pictures = {}};
    if (arrays.size() == 3) candidates.classes = labels_of(arrays[2]);
    candidates.name_pictures();
    return candidates;
}

Candidates from_json(const std::string& path) {
    FoundBoxes found = parse_boxes(file_text(path), path);
    std::vector<std::int64_t> counts(found.pictures.size());
    for (const FoundBox& box : found.boxes) ++counts[box.picture];
    Candidates candidates{.images = std::ssize(counts),
                          .count = counts.empty() ? 0 : std::ranges::max(counts),
                          .boxes = {},
                          .scores = {},
                          .classes = {},
                          .pictures = std::move(found.pictures)};
    const auto all = static_cast<std::size_t>(candidates.images * candidates.count);
    candidates.boxes.assign(4 * all, 0);
    candidates.scores.assign(all, -std::numeric_limits<float>::infinity());
    candidates.classes.assign(all, 0);
    std::ranges::fill(counts, 0);
    for (const FoundBox& box : found.boxes) {
        const auto at =
            static_cast<std::size_t>(static_cast<std::int64_t>(box.picture) * candidates.count + counts[box.picture]++);
        std::copy_n(box.corners, 4, candidates.boxes.data() + 4 * at);
        candidates.scores[at] = box.score;
        candidates.classes[at] = box.label;
    }
    return candidates;
}

/// The forms of boxes are the variants of the operation.
NmsOptions nms_options(const ComputeOptions& options, const Operation& operation, bool of_json) {
    NmsOptions nms{.top = options.top};
    if (!std::isnan(options.iou)) nms.iou_threshold = static_cast<float>(options.iou);
    if (!std::isnan(options.score)) nms.score_threshold = static_cast<float>(options.score);
    const std::string form = options.variant.empty() ? "per_class" : options.variant;
    parse_variant(operation, form);  // throws for what is none
    if (form == "xywh") nms.form = BoxForm::xywh;
    if (form == "cxcywh") nms.form = BoxForm::cxcywh;
    if (of_json && nms.form != BoxForm::xyxy)
        throw UsageError(fmt::format("--variant {}: boxes of JSON say their form themselves", form));
    return nms;
}

/// The pictures that boxes are named after, and taken back to.
std::optional<SourcePictures> pictures_of(const ComputeOptions& options, std::int64_t images) {
    if (options.pictures.empty()) return {};
    SourcePictures pictures = parse_pictures(file_text(options.pictures), options.pictures);
    if (std::ssize(pictures.names) != images)
        throw UsageError(fmt::format("--pictures {}: it has {} pictures, and the boxes are of {}", options.pictures,
                                     pictures.names.size(), images));
    return pictures;
}

/// What nms kept, in host memory.
struct Kept {
    std::int64_t capacity = 0;
    std::vector<std::int32_t> indices, counts, dropped;
    std::vector<float> boxes;
};

Kept keep_boxes(Device& device, const Candidates& candidates, const NmsOptions& options, std::int64_t most,
                const SourcePictures* pictures) {
    const DeviceArray<float> boxes(device, candidates.boxes), scores(device, candidates.scores);
    const DeviceArray<std::int32_t> classes(device, candidates.classes);
    DeviceArray<Affine> to_source;
    DeviceArray<ImageSize> sizes;
    if (pictures) {
        to_source = {device, pictures->to_source};
        sizes = {device, pictures->sizes};
    }
    const std::int64_t capacity = most > 0 ? std::min(most, candidates.count) : candidates.count;
    const DeviceArray<std::int32_t> indices(device, candidates.images * capacity), counts(device, candidates.images),
        dropped(device, candidates.images);
    const DeviceArray<float> kept(device, 4 * candidates.images * capacity);
    const std::size_t bytes = nms_workspace(candidates.count, candidates.images);
    const DeviceArray<std::byte> workspace(device, static_cast<std::int64_t>(bytes));
    nms({boxes.data(), scores.data(), classes.data(), candidates.images, candidates.count}, options,
        {to_source.data(), sizes.data()}, {indices.data(), counts.data(), dropped.data(), kept.data(), capacity},
        {workspace.data(), bytes}, device);
    device.synchronize();
    return {capacity, indices.to_host(), counts.to_host(), dropped.to_host(), kept.to_host()};
}

/// Writes the boxes as JSON, or the arrays.
void write_boxes(const std::string& path, const FoundBoxes& boxes, std::span<const MadeArray> arrays) {
    is_json(path) ? write_output(path, boxes_to_json(boxes)) : write_arrays(path, arrays);
}

std::vector<FileArray> read_given(const ComputeOptions& options, Progress& progress) {
    return read_arrays(options.inputs, options.raw, [&](const std::string& path) { progress.show("reading " + path); });
}

int run_nms(const ComputeOptions& options, const Operation& operation, const Context& context) {
    const bool of_json = std::ranges::any_of(options.inputs, is_json);
    if (of_json && options.inputs.size() != 1)
        throw UsageError("nms: one file of JSON is right, which holds boxes, scores and classes");
    const NmsOptions wanted = nms_options(options, operation, of_json);
    Progress progress(context);
    Candidates candidates = of_json ? from_json(options.inputs.front()) : from_arrays(read_given(options, progress));
    const std::vector<std::int32_t> labels = candidates.classes;
    if (options.variant == "agnostic") candidates.classes.clear();
    const auto pictures = pictures_of(options, candidates.images);
    const auto device = options.open_device();
    progress.show(fmt::format("nms of {} boxes on {}", candidates.scores.size(), device->info().id));
    const Kept kept = keep_boxes(*device, candidates, wanted, options.most, pictures ? &*pictures : nullptr);
    candidates.classes = labels;

    FoundBoxes found{pictures ? pictures->names : candidates.pictures, {}};
    std::vector<float> scores(kept.indices.size());
    std::vector<std::int32_t> classes(kept.indices.size());
    for (std::int64_t image = 0; image < candidates.images; ++image)
        for (std::int64_t k = 0; k < kept.counts[static_cast<std::size_t>(image)]; ++k) {
            const auto at = static_cast<std::size_t>(image * kept.capacity + k);
            found.boxes.push_back(candidates.at(image, kept.indices[at], kept.boxes.data() + 4 * at));
            scores[at] = found.boxes.back().score;
            classes[at] = found.boxes.back().label;
        }
    const std::vector<std::int64_t> each{candidates.images, kept.capacity}, one{candidates.images};
    const MadeArray arrays[] = {{"indices", DType::int32, each, bytes_of(kept.indices)},
                                {"counts", DType::int32, one, bytes_of(kept.counts)},
                                {"dropped", DType::int32, one, bytes_of(kept.dropped)},
                                {"boxes", DType::float32, {each[0], each[1], 4}, bytes_of(kept.boxes)},
                                {"scores", DType::float32, each, bytes_of(scores)},
                                {"classes", DType::int32, each, bytes_of(classes)}};
    write_boxes(options.output, found, arrays);
    progress.clear();
    context.hint(fmt::format("{}: {} of {} boxes kept in {} picture{} by nms on {}", options.output, found.boxes.size(),
                             of_json
                                 ? std::ranges::count_if(candidates.scores, [](float s) { return std::isfinite(s); })
                                 : std::ssize(candidates.scores),
                             candidates.images, candidates.images == 1 ? "" : "s", device->info().id));
    return exit_status::good;
}

HeadOutput head_of(const FileArray& array, HeadForm form) {
    require_type("decode", array, DType::float32);
    std::vector<std::int64_t> shape = array.given.shape;
    if (shape.size() == 2) shape.insert(shape.begin(), 1);
    const std::int64_t before = form == HeadForm::v5 ? 5 : 4;
    const std::int64_t row = shape.size() != 3 ? 0 : form == HeadForm::v5 ? shape[2] : shape[1];
    if (row <= before)
        throw UsageError(fmt::format("decode: {} is {}; {} is right", array.given.name,
                                     shape_in_words(array.given.shape),
                                     form == HeadForm::v5 ? "images×candidates×(5 + classes), or --variant v8"
                                                          : "images×(4 + classes)×candidates, or --variant v5"));
    return {.values = nullptr,
            .form = form,
            .images = shape[0],
            .count = form == HeadForm::v5 ? shape[1] : shape[2],
            .classes = row - before};
}

int run_decode(const ComputeOptions& options, const Operation& operation, const Context& context) {
    for (const auto& [option, given] :
         {std::pair{"--iou", !std::isnan(options.iou)}, {"--top", options.top > 0}, {"--most", options.most > 0}})
        if (given) throw UsageError(fmt::format("compute decode takes no {}; it is for nms", option));
    const auto form =
        options.variant.empty() ? HeadForm::v5 : static_cast<HeadForm>(parse_variant(operation, options.variant));
    Progress progress(context);
    const std::vector<FileArray> given = read_given(options, progress);
    if (given.size() != 1)
        throw UsageError(fmt::format("decode: {} arrays are given; one is right: a network's output", given.size()));
    HeadOutput head = head_of(given[0], form);
    const auto pictures = pictures_of(options, head.images);
    const auto device = options.open_device();
    const DeviceArray<float> values(*device, values_of<float>(given[0]));
    head.values = values.data();
    const std::int64_t all = head.images * head.count;
    const DeviceArray<float> boxes(*device, 4 * all), scores(*device, all);
    const DeviceArray<std::int32_t> classes(*device, all);
    progress.show(fmt::format("decoding {} candidates on {}", all, device->info().id));
    decode(head, static_cast<float>(std::isnan(options.score) ? kDecodeScore : options.score),
           {boxes.data(), scores.data(), classes.data()}, *device);
    device->synchronize();

    Candidates candidates{head.images, head.count, boxes.to_host(), scores.to_host(), classes.to_host(), {}};
    candidates.name_pictures();
    FoundBoxes found{pictures ? pictures->names : candidates.pictures, {}};
    for (std::int64_t at = 0; at < all; ++at)
        if (std::isfinite(candidates.scores[static_cast<std::size_t>(at)]))
            found.boxes.push_back(candidates.at(at / head.count, at % head.count, candidates.boxes.data() + 4 * at));
    const MadeArray arrays[] = {{"boxes", DType::float32, {head.images, head.count, 4}, bytes_of(candidates.boxes)},
                                {"scores", DType::float32, {head.images, head.count}, bytes_of(candidates.scores)},
                                {"classes", DType::int32, {head.images, head.count}, bytes_of(candidates.classes)}};
    write_boxes(options.output, found, arrays);
    progress.clear();
    context.hint(fmt::format("{}: {} of {} candidates in {} picture{} by decode on {}", options.output,
                             found.boxes.size(), all, head.images, head.images == 1 ? "" : "s", device->info().id));
    return exit_status::good;
}

}  // namespace

bool computes_boxes(const Operation& operation) { return operation.name == "nms" || operation.name == "decode"; }

int compute_boxes(const ComputeOptions& options, const Operation& operation, const Context& context) {
    if (!is_json(options.output) && !options.output.ends_with(".npz"))
        throw UsageError(
            fmt::format("-o {}: boxes are several arrays or a list; .npz and .json are right", options.output));
    require_options_of(ComputedOn::boxes, options);
    if (!options.size.empty()) throw UsageError(fmt::format("compute {} takes no --size", operation.name));
    return operation.name == "nms" ? run_nms(options, operation, context) : run_decode(options, operation, context);
}

}  // namespace lanework
