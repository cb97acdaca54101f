// lanework compute of an operation on images: pictures of bytes or float32 from arrays, one or a batch, with the
// options that the operation itself describes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <lanework/device_array.hpp>
#include <lanework/error.hpp>

#include "src/cli/compute.hpp"
#include "src/cli/progress.hpp"
#include "src/core/exit_status.hpp"
#include "src/io/npy.hpp"
#include "src/pictures/pipeline.hpp"

namespace lanework {
namespace {

using Kind = ImageOptionKind;

/// Whether this command has another word for what the option says.
bool is_said_otherwise(const ImageOption& option) {
    return option.kind == Kind::element || option.kind == Kind::size || option.kind == Kind::width ||
           option.kind == Kind::height || option.kind == Kind::factor;
}

const ImageOption* option_of(const ImageOperation& operation, std::string_view word) {
    const auto found = std::ranges::find(operation.options, word, &ImageOption::word);
    return found == operation.options.end() ? nullptr : &*found;
}

bool computes(const ImageOperation* operation) { return computes_pictures(operation->name) != nullptr; }

/// The words that were typed, as `image` takes them.
RecipeWords words_of(const ComputeOptions& options, const ImageOperation& operation) {
    RecipeWords words{.operation = std::string(operation.name)};
    for (const auto& [word, value] : options.image_values)
        if (!value.empty()) words.values[word] = value;
    for (const auto& [word, flag] : options.image_flags) words.flags[word] = flag;
    for (const ImageOption& option : operation.options) {
        if (option.kind == Kind::element) words.values[std::string(option.word)] = options.made_type;
        if (option.kind == Kind::size) words.values[std::string(option.word)] = options.size;
    }
    return words;
}

void require_taken(const ComputeOptions& options, const ImageOperation& operation) {
    const auto refuse = [&](std::string_view word) {
        throw UsageError(fmt::format("compute {} takes no {}", operation.name, word));
    };
    const auto takes = [&](Kind kind) { return std::ranges::count(operation.options, kind, &ImageOption::kind) > 0; };
    if (!options.variant.empty()) refuse("--variant");
    if (!options.size.empty() && !takes(Kind::size)) refuse("--size");
    if (!options.made_type.empty() && !takes(Kind::element)) refuse("--to");
    for (const ImageOption& option : operation.options)
        if (option.kind == Kind::element && !options.made_type.empty() &&
            std::ranges::count(option.choices, options.made_type) == 0)
            throw UsageError(
                fmt::format("--to `{}` is not one of {}", options.made_type, fmt::join(option.choices, ", ")));
}

/// Pictures of one size, one behind the other: [images][rows][columns][channels].
struct Pictures {
    std::int64_t images;
    PictureShape each;
    DType samples;

    std::size_t bytes() const { return static_cast<std::size_t>(images * each.samples()) * size_of(samples); }
};

Pictures pictures_of(std::string_view operation, const GivenArray& given) {
    if (given.dtype != DType::uint8 && given.dtype != DType::float32)
        throw UsageError(
            fmt::format("{}: {} holds {}; uint8 and float32 are right", operation, given.name, name_of(given.dtype)));
    std::vector<std::int64_t> shape = given.shape;
    if (shape.size() == 2) shape.push_back(1);
    if (shape.size() == 3) shape.insert(shape.begin(), 1);
    if (shape.size() != 4 || (shape[3] != 1 && shape[3] != 3 && shape[3] != 4) || std::ranges::count(shape, 0) > 0)
        throw UsageError(
            fmt::format("{}: {} is {}; rows×columns, rows×columns×channels or images×rows×columns×channels "
                        "are right, with 1, 3 or 4 channels, and no length is 0",
                        operation, given.name, shape_in_words(given.shape)));
    return {shape[0], {shape[1], shape[2], static_cast<int>(shape[3])}, given.dtype};
}

/// What a step makes of them. An operation of arrays keeps the channels, which become planes.
Pictures made_of(const ImageStep& step, const Pictures& in) {
    PictureShape each = shape_of_output(step, in.each);
    const ImageResult makes = step.operation().makes;
    if (makes != ImageResult::gray) each.channels = in.each.channels;
    if (makes == ImageResult::array) return {in.images, each, step.element()};
    const bool wider = makes == ImageResult::derivatives && in.samples == DType::uint8;
    return {in.images, each, wider ? step.element() : in.samples};
}

/// Of the output: as many axes as the input has; planes come before rows, and there are images of them always.
std::vector<std::int64_t> shape_of(const ImageStep& step, const Pictures& made, const GivenArray& given) {
    const auto& [height, width, channels] = made.each;
    if (step.operation().makes == ImageResult::array) return {made.images, channels, height, width};
    std::vector<std::int64_t> shape{height, width};
    if (given.shape.size() > 2) shape.push_back(channels);
    if (given.shape.size() > 3) shape.insert(shape.begin(), made.images);
    return shape;
}

/// What was made of each picture, as `image --json` says it. All pictures have one size, and so one way back.
std::vector<PictureOutcome> outcomes_of(const ComputeOptions& options, const Pictures& in, const Pictures& out,
                                        const Affine& back) {
    std::vector<PictureOutcome> outcomes;
    for (std::int64_t image = 0; image < in.images; ++image)
        outcomes.push_back({.text = {},
                            .input = options.inputs.front(),
                            .output = options.output,
                            .place = in.images > 1 ? std::optional(image) : std::nullopt,
                            .from = in.each,
                            .made = out.each,
                            .to_source = back});
    return outcomes;
}

struct Made {
    std::vector<std::byte> pictures;
    std::vector<Affine> to_source;
};

Made compute_on(Device& device, const ImageStep& step, const Pictures& in, const Pictures& out,
                std::span<const std::uint8_t> bytes) {
    const DeviceArray<std::byte> from(device, {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
    const DeviceArray<std::byte> made(device, static_cast<std::int64_t>(out.bytes()));
    const DeviceArray<Affine> back(device, step.operation().gives_back ? in.images : 0);
    const auto view = [](std::byte* data, const Pictures& pictures, std::int64_t image) {
        const std::int64_t row =
            pictures.each.width * pictures.each.channels * static_cast<std::int64_t>(size_of(pictures.samples));
        return ImageView<std::byte>{data + image * pictures.each.height * row, pictures.each.height,
                                    pictures.each.width, pictures.each.channels, row};
    };
    for (std::int64_t image = 0; image < in.images; ++image) {
        const ImageView<std::byte> to = view(made.data(), out, image), source = view(from.data(), in, image);
        const ImageView<const std::byte> read{source.pixels, source.height, source.width, source.channels,
                                              source.pitch};
        step.operation().apply({read, to, in.samples, step, back.size() ? back.data() + image : nullptr, device});
    }
    device.synchronize();
    return {made.to_host(), back.to_host()};
}

}  // namespace

const ImageOperation* computes_pictures(std::string_view name) {
    for (const OperationShapes& shapes : operation_shapes())
        if (shapes.operation == name) return nullptr;
    for (const ImageOperation* operation : image_operations())
        if (operation->for_pictures && operation->name == name) return operation;
    return nullptr;
}

void add_picture_options(Command& command, ComputeOptions& options) {
    for (const RecipeOption& option : recipe_options()) {
        std::string takers;
        for (const ImageOperation* taker : option.takers)
            if (computes(taker) && !is_said_otherwise(*option_of(*taker, option.word)))
                takers += fmt::format("{}{}", takers.empty() ? "" : ", ", taker->name);
        if (takers.empty()) continue;
        const std::string help = fmt::format("{}: as of `lanework image`", takers);
        option.is_flag ? command.flag(option.word, options.image_flags[option.word], help)
                       : command.option(option.word, options.image_values[option.word], option.placeholder, help);
    }
}

std::string_view typed_picture_option(const ComputeOptions& options) {
    for (const auto& [word, value] : options.image_values)
        if (!value.empty()) return word;
    for (const auto& [word, flag] : options.image_flags)
        if (flag) return word;
    return options.made_type.empty() ? "" : "--to";
}

int compute_pictures(const ComputeOptions& options, const ImageOperation& operation, const Context& context) {
    require_array_file(options.output);
    require_options_of(ComputedOn::pictures, options);
    require_taken(options, operation);
    const PictureRecipe recipe = parse_recipe(words_of(options, operation));
    const ImageStep& step = recipe.steps.front();
    Progress progress(context);
    const std::vector<FileArray> inputs =
        read_arrays(options.inputs, options.raw, [&](const std::string& path) { progress.show("reading " + path); });
    if (inputs.size() != 1)
        throw UsageError(
            fmt::format("{}: {} inputs are given; one is right: a picture, or several of one size in one "
                        "array",
                        operation.name, inputs.size()));
    const FileArray& input = inputs.front();
    const Pictures in = pictures_of(operation.name, input.given), out = made_of(step, in);
    MadeArray made{"out", out.samples, shape_of(step, out, input.given), {}};
    require_array_file(options.output, {&made, 1});
    const auto device = options.open_device();
    progress.show(fmt::format("computing {} on {}", operation.name, device->info().id));
    const Made result = compute_on(*device, step, in, out, input.bytes);
    made.bytes = {reinterpret_cast<const std::uint8_t*>(result.pictures.data()), result.pictures.size()};
    std::vector<MadeArray> arrays{made};
    if (!result.to_source.empty() && options.output.ends_with(".npz"))
        arrays.push_back({"to_source",
                          DType::float64,
                          {in.images, 2, 3},
                          {reinterpret_cast<const std::uint8_t*>(result.to_source.data()),
                           result.to_source.size() * sizeof(Affine)}});
    write_arrays(options.output, arrays);
    progress.clear();
    const Affine back = back_to_source(recipe, in.each);
    context.hint(fmt::format("{}: {} {} by {} on {}{}", options.output, describe_shape(made.shape), name_of(made.dtype),
                             operation.name, device->info().id, back_text(back)));
    write_exports(options.exports, context,
                  {.json = [&] { return outcomes_to_json(recipe, outcomes_of(options, in, out, back)); },
                   .csv = {},
                   .markdown = {}});
    return exit_status::good;
}

}  // namespace lanework
