// lanework compute: an operation on a user's own arrays, from files to files.
#include "src/cli/compute.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <lanework/error.hpp>
#include <lanework/execute.hpp>
#include <lanework/registry.hpp>

#include "src/cli/command.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/selection.hpp"
#include "src/io/file.hpp"
#include "src/io/npy.hpp"

namespace lanework {
namespace {

std::string without_member(const std::string& path) { return path.substr(0, end_of_file_name(path)); }

void require_output(const ComputeOptions& options) {
    if (options.output.empty())
        throw UsageError("compute: -o FILE is missing: result.npy, or result.raw for bytes alone");
    for (const std::string& input : options.inputs)
        if (is_same_file(without_member(input), options.output))
            throw UsageError(fmt::format("-o {}: it is an input, too", options.output));
    for (const auto& [word, value] : options.array_values)
        if (!value.empty() && is_same_file(without_member(value), options.output))
            throw UsageError(fmt::format("-o {}: {} names it, too", options.output, word));
}

/// The arrays of the files that were typed. A file that is given twice has, in messages, the name of its array, too.
std::vector<FileArray> read_inputs(const ComputeOptions& options, std::span<const std::string_view> names,
                                   Progress& progress) {
    std::vector<FileArray> inputs = by_names(
        read_arrays(options.inputs, options.raw, [&](const std::string& path) { progress.show("reading " + path); }),
        names);
    const auto called = [&](const std::string& name) {
        return std::ranges::count_if(inputs, [&](const FileArray& input) { return input.given.name == name; });
    };
    std::vector<bool> twice;
    for (const FileArray& input : inputs) twice.push_back(called(input.given.name) > 1);
    for (std::size_t k = 0; k < std::min(inputs.size(), names.size()); ++k)
        if (twice[k]) inputs[k].given.name += fmt::format(" ({})", names[k]);
    if (inputs.size() > names.size() && std::ranges::any_of(inputs, [](auto& each) { return !each.member.empty(); }))
        throw UsageError(fmt::format("{}: {} arrays are in the files, and {} right: FILE.npz:NAME is one of them",
                                     options.word, inputs.size(),
                                     names.size() == 1 ? "one is" : fmt::format("{} are", names.size())));
    return inputs;
}

/// Every output of an operation, where the inputs are the first of its arrays.
std::vector<MadeArray> outputs_of(const Operation& operation, const Problem& problem, const HostArrays& arrays,
                                  std::span<const GivenArray> given) {
    std::vector<MadeArray> outputs;
    for (std::size_t k = given.size(); k < arrays.specs().size(); ++k)
        outputs.push_back({arrays.specs()[k].name,
                           type_of_array(operation, arrays.specs()[k], given),
                           shape_of_array(operation, problem, k, given),
                           {reinterpret_cast<const std::uint8_t*>(arrays.data(k)), arrays.bytes(k)}});
    return outputs;
}

int compute_arrays(const ComputeOptions& options, const Operation& operation, std::string_view rung_name,
                   const Context& context) {
    shapes_of(operation);  // throws for what is not computed on arrays
    require_options_of(ComputedOn::arrays, options);
    require_array_file(options.output);
    const std::uint8_t variant = options.variant.empty() ? std::uint8_t{0} : parse_variant(operation, options.variant);
    Progress progress(context);
    const std::vector<FileArray> inputs = read_inputs(options, input_names(operation, variant), progress);
    std::vector<GivenArray> given;
    for (const FileArray& input : inputs) given.push_back(input.given);
    const std::vector<std::int64_t> size =
        options.size.empty() ? std::vector<std::int64_t>() : parse_shape(options.size);
    const Problem problem = problem_of(operation, given, variant, size);
    const auto device = options.open_device();
    const Rung& rung = rung_name.empty() ? chosen_rung(operation, device->info().kind, problem)
                                         : find_rung(operation, rung_name, device->info().kind);
    HostArrays arrays(operation, problem);
    const std::vector<MadeArray> made = outputs_of(operation, problem, arrays, given);
    require_array_file(options.output, made);
    for (std::size_t k = 0; k < inputs.size(); ++k)
        if (inputs[k].bytes.size() != arrays.bytes(k))
            throw UsageError(fmt::format("{}: {} has {} elements; {} takes {}{}", operation.name, inputs[k].given.name,
                                         inputs[k].bytes.size() / size_of(inputs[k].given.dtype),
                                         arrays.specs()[k].name, arrays.specs()[k].count,
                                         inputs[k].bytes.size() > arrays.bytes(k) ? " at most" : ""));
    for (std::size_t k = 0; k < inputs.size(); ++k)
        if (!inputs[k].bytes.empty()) std::memcpy(arrays.data(k), inputs[k].bytes.data(), inputs[k].bytes.size());
    progress.show(fmt::format("computing {} by {}/{} on {}", format_extents(operation, problem), operation.name,
                              rung.name, device->info().id));
    execute(*device, operation, rung, problem, arrays.buffers());
    progress.show("writing " + options.output);
    write_arrays(options.output, made);
    progress.clear();
    context.hint(fmt::format("{}: {} {} by {}/{} on {}", options.output, describe_shape(made.front().shape),
                             name_of(made.front().dtype), operation.name, rung.name, device->info().id));
    return exit_status::good;
}

/// Throws UsageError for an option of other operations, and for a word that is none of its.
void require_array_options(const ComputeOptions& options, std::string_view operation) {
    for (const OperationShapes& shapes : operation_shapes())
        for (const ArrayOption& option : shapes.options) {
            const std::string& value = options.array_values.at(std::string(option.word));
            if (value.empty()) continue;
            if (shapes.operation != operation)
                throw UsageError(
                    fmt::format("compute {} takes no {}; it is for {}", options.word, option.word, shapes.operation));
            if (!option.choices.empty() && std::ranges::count(option.choices, value) == 0)
                throw UsageError(
                    fmt::format("{} `{}` is not one of {}", option.word, value, fmt::join(option.choices, ", ")));
        }
}

void add_array_options(Command& command, ComputeOptions& options) {
    for (const OperationShapes& shapes : operation_shapes())
        for (const ArrayOption& option : shapes.options) {
            const std::string choices =
                option.choices.empty() ? "" : fmt::format(": {} (the first)", fmt::join(option.choices, ", "));
            command.option(std::string(option.word), options.array_values[std::string(option.word)],
                           std::string(option.placeholder),
                           fmt::format("{}: {}{}", shapes.operation, option.help, choices));
        }
}

int run(const ComputeOptions& options, const Context& context) {
    require_output(options);
    const auto slash = options.word.find('/');
    const std::string name = options.word.substr(0, slash);
    const ImageOperation* const of_images = computes_pictures(name);
    const Operation* const operation = of_images ? nullptr : &find_operation(name);
    require_array_options(options, name);
    if (const std::string_view option = typed_array_option(options); !option.empty()) {
        if (slash != std::string::npos)
            throw UsageError(fmt::format("{}: with {} the kernel is chosen; `lanework compute {}` is right",
                                         options.word, option, name));
        return compute_product(options, *operation, context);
    }
    if (operation && !computes_boxes(*operation) && !computes_atoms(*operation))
        return compute_arrays(options, *operation, slash == std::string::npos ? "" : options.word.substr(slash + 1),
                              context);
    if (slash != std::string::npos)
        throw UsageError(fmt::format("{}: on {} of one's own the kernel is chosen; `lanework compute {}` is right",
                                     options.word,
                                     of_images                    ? "pictures"
                                     : computes_atoms(*operation) ? "atoms"
                                                                  : "boxes",
                                     name));
    if (of_images) return compute_pictures(options, *of_images, context);
    return computes_atoms(*operation) ? compute_atoms(options, *operation, context)
                                      : compute_boxes(options, *operation, context);
}

/// "add, banks, blur, … or write".
std::string operations_help() {
    std::vector<std::string_view> names;
    for (const Operation* operation : operations()) names.push_back(operation->name);
    for (const ImageOperation* operation : image_operations())
        if (computes_pictures(operation->name) && std::ranges::count(names, operation->name) == 0)
            names.push_back(operation->name);
    std::ranges::sort(names);
    const std::string_view last = names.back();
    names.pop_back();
    return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

}  // namespace

void require_options_of(ComputedOn kind, const ComputeOptions& options) {
    struct Typed {
        std::string_view word, of;
        ComputedOn kind;
        bool is_typed;
    };
    constexpr std::string_view kOfBoxes = "boxes: nms, decode", kOfAtoms = "atoms: neighbors",
                               kOfPictures = "pictures: letterbox, tensor and their like";
    const std::string_view of_pictures = typed_picture_option(options);
    const Typed all[] = {{"--iou", kOfBoxes, ComputedOn::boxes, !std::isnan(options.iou)},
                         {"--score", kOfBoxes, ComputedOn::boxes, !std::isnan(options.score)},
                         {"--top", kOfBoxes, ComputedOn::boxes, options.top > 0},
                         {"--most", kOfBoxes, ComputedOn::boxes, options.most > 0},
                         {"--pictures", kOfBoxes, ComputedOn::boxes, !options.pictures.empty()},
                         {"--cutoff", kOfAtoms, ComputedOn::atoms, !std::isnan(options.cutoff)},
                         {"--json", kOfPictures, ComputedOn::pictures, options.exports.json.has_value()},
                         {of_pictures, kOfPictures, ComputedOn::pictures, !of_pictures.empty()}};
    for (const Typed& each : all)
        if (each.is_typed && each.kind != kind)
            throw UsageError(fmt::format("compute {} takes no {}; it is for {}", options.word, each.word, each.of));
}

std::string_view typed_array_option(const ComputeOptions& options) {
    for (const auto& [word, value] : options.array_values)
        if (!value.empty()) return word;
    return {};
}

std::unique_ptr<Device> ComputeOptions::open_device() const {
    return gpu.empty() ? choose_fastest_device(device) : choose_device(device, gpu);
}

void add_compute(CLI::App& app, Context& context) {
    auto options = std::make_shared<ComputeOptions>();
    Command command(app, context, "compute", "Compute an operation on arrays of your own: files in, a file out");
    command.positional("OP[/RUNG]", options->word, operations_help());
    command.positionals("IN", options->inputs,
                        "Arrays: .npy, .npz, pictures, or raw numbers with --dtype and --shape; of nms also .json",
                        false);
    command.output(
        "-o,--output", options->output,
        "The result: .npy, .npz, .raw for its bytes alone, a picture; of boxes .json or .npz, of atoms .npz or .txt");
    command.option("--variant", options->variant, "NAME",
                   "Form of an operation that has several, such as reduce's sum, min, max, argmin, argmax (the first)");
    command.option("--size", options->size, "AxB",
                   "What no input says: rows x columns of what resize, letterbox, tensor and warp make, rounds of "
                   "divergence, …");
    command.option(
        "--dtype", options->raw.dtype, "TYPE",
        "Of raw inputs: float32, int32, …; of others what their bits are: bfloat16 in uint16, float8_e4m3 in uint8");
    command.list("--shape", options->raw.shapes, "AxB", "Of a raw input, rows first; once for each");
    command.fraction("--iou", options->iou, "X",
                     "nms: a box is dropped where its overlap with a kept one is above, from 0 to 1 (0.5)");
    command.fraction("--score", options->score, "X",
                     "nms, decode: boxes with a score above are looked at, from 0 to 1 (all; decode: above 0.25)");
    command.option("--top", options->top,
                   "nms: of each picture only so many with the highest scores are looked at (all)");
    command.option("--most", options->most, "nms: so many are kept of each picture at most (all)");
    command.option("--pictures", options->pictures, "FILE",
                   "nms, decode: what `image --json` or `compute --json` wrote: boxes are named after its pictures, "
                   "and nms takes them back there");
    add_array_options(command, *options);
    command.positive("--cutoff", options->cutoff, "LENGTH", "neighbors: atoms are neighbours when nearer than this");
    add_picture_options(command, *options);
    command.option("--to", options->made_type, "TYPE", "tensor: float32 or float16 (the first)");
    options->exports.add_json(command);
    command.option("-d,--device", options->device, "DEVICE", "cuda[:N], simt or cpu (the first GPU, else cpu)");
    command.option("--gpu", options->gpu, "NAME", gpu_help());
    command.examples(
        "  lanework compute matmul a.npy b.npy -o c.npy\n"
        "  lanework compute matmul ab.npz -o c.npz                      the arrays a and b of that file\n"
        "  lanework compute matmul x.npy w.npy --bias b.npy --activation gelu -o y.npy\n"
        "  lanework compute reduce x.npz:loss --variant argmax -o place.npy\n"
        "  lanework compute histogram photo.png -o counts.npy\n"
        "  lanework compute resize depth.npy --size 240x320 -o small.npy\n"
        "  lanework compute transpose m.raw --dtype float32 --shape 100x50 -o t.npy\n"
        "  lanework compute matmul/naive a.npy b.npy -o c.npy --device simt    that kernel, on the processor\n"
        "  lanework compute letterbox frames.npy --size 640x640 --pad 114 -o boxed.npz     and to_source, the way "
        "back\n"
        "  lanework compute tensor frames.npy --size 640x640 --to float16 -o input.npy\n"
        "  lanework compute warp depth.npy --rotate 10 -o turned.npy\n"
        "  lanework compute atomics first.npy values.npy --size 4 --variant add -o out.npz    4 calls on each cell\n"
        "  lanework compute neighbors positions.npy cell.npy --cutoff 3 -o list.npz\n"
        "  lanework compute decode head.npy --variant v8 -o boxes.npz\n"
        "  lanework compute nms boxes.npz --iou 0.45 --pictures made.json -o kept.json\n"
        "\n"
        "Shapes and --size are rows x columns, as NumPy's; pictures are rows x columns x channels, of uint8 or "
        "float32,\n"
        "and where letterbox, tensor, warp and sobel_derivative take several, images x rows x columns x channels. "
        "What\n"
        "makes several arrays writes .npz. neighbors takes atoms x 3 or x 2, and a periodic box whose rows are its\n"
        "vectors; it writes offsets and indices, or a line for each atom (.txt). decode takes float32[images]\n"
        "[count][5 + classes] (v5) or [images][4 + classes][count] (v8); nms the arrays boxes, scores and, where "
        "there\n"
        "are classes, classes. JSON is a list of {\"image_id\", \"category_id\", \"bbox\": [x, y, width, height], "
        "\"score\"}.");
    command.run([options, &context] { return run(*options, context); });
}

}  // namespace lanework
