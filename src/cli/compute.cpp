// lanework compute: an operation on a user's own arrays, from files to files.
#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <lanework/error.hpp>
#include <lanework/execute.hpp>
#include <lanework/registry.hpp>

#include "src/cli/commands.hpp"
#include "src/cli/outputs.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/selection.hpp"
#include "src/io/file.hpp"
#include "src/io/npy.hpp"
#include "src/io/npz.hpp"
#include "src/library/array/shapes.hpp"

namespace lanework {
namespace {

struct ComputeOptions {
    std::string word, output, device, gpu, variant, dtype;
    std::vector<std::string> inputs, shapes;
};

/// "100x50": lengths from 0 on.
std::vector<std::int64_t> parse_shape(std::string_view text) {
    std::vector<std::int64_t> shape;
    for (std::string_view rest = text;;) {
        std::int64_t length = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
        const auto read = static_cast<std::size_t>(end - rest.data());
        if (error != std::errc() || length < 0 || (read < rest.size() && rest[read] != 'x'))
            throw UsageError(fmt::format("--shape {}: lengths joined by x are right, as 100x50", text));
        shape.push_back(length);
        if (read == rest.size()) return shape;
        rest.remove_prefix(read + 1);
    }
}

DType parse_type(std::string_view text) {
    std::string names;
    for (const DType type : kDTypes) {
        if (text == name_of(type)) return type;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(type));
    }
    throw UsageError(fmt::format("--dtype {}: there is no such type; there are: {}", text, names));
}

bool ends_in(std::string_view path, std::string_view extension) { return path.ends_with(extension); }

/// An input's file and the array in it.
struct Input {
    std::vector<std::uint8_t> file;
    GivenArray given;
    std::span<const std::uint8_t> bytes;
};

Input read_raw(const ComputeOptions& options, std::size_t index) {
    const std::string& path = options.inputs[index];
    if (options.dtype.empty() || options.shapes.size() <= index)
        throw UsageError(fmt::format("{}: raw numbers need --dtype and a --shape for each input", path));
    Input input{read_file(path), {path, parse_type(options.dtype), parse_shape(options.shapes[index])}, {}};
    const std::size_t right =
        static_cast<std::size_t>(elements_of(input.given.shape, path)) * size_of(input.given.dtype);
    if (input.file.size() != right)
        throw FileError(fmt::format("{}: {} {} elements are {} bytes; the file has {}", path,
                                    describe_shape(input.given.shape), options.dtype, right, input.file.size()));
    input.bytes = input.file;
    return input;
}

Input read_input(const ComputeOptions& options, std::size_t index) {
    const std::string& path = options.inputs[index];
    if (!ends_in(path, ".npy")) return read_raw(options, index);
    Input input{read_file(path), {}, {}};
    const NpyArray array = parse_npy(input.file, path);
    input.given = {path, array.dtype, array.shape};
    input.bytes = array.bytes;
    return input;
}

void write_result(const std::string& path, DType dtype, std::span<const std::int64_t> shape,
                  std::span<const std::uint8_t> bytes) {
    const std::string header = ends_in(path, ".npy") ? npy_header(npy_descriptor(dtype), shape) : std::string();
    const std::span<const std::uint8_t> pieces[] = {
        {reinterpret_cast<const std::uint8_t*>(header.data()), header.size()}, bytes};
    write_output(path, pieces);
}

void require_output(const ComputeOptions& options) {
    if (options.output.empty())
        throw UsageError("compute: -o FILE is missing: result.npy, or result.raw for bytes alone");
    if (!ends_in(options.output, ".npy") && !ends_in(options.output, ".raw"))
        throw UsageError(fmt::format("-o {}: .npy and .raw are right", options.output));
    for (const std::string& input : options.inputs)
        if (is_same_file(input, options.output))
            throw UsageError(fmt::format("-o {}: it is an input, too", options.output));
}

int run(const ComputeOptions& options, const Context& context) {
    require_output(options);
    const auto slash = options.word.find('/');
    const Operation& operation = find_operation(options.word.substr(0, slash));
    shapes_of(operation);
    const std::uint8_t variant = options.variant.empty() ? std::uint8_t{0} : parse_variant(operation, options.variant);
    Progress progress(context);
    std::vector<Input> inputs;
    for (std::size_t k = 0; k < options.inputs.size(); ++k) {
        progress.show("reading " + options.inputs[k]);
        inputs.push_back(read_input(options, k));
    }
    std::vector<GivenArray> given;
    for (const Input& input : inputs) given.push_back(input.given);

    const Problem problem = problem_of(operation, given, variant);
    const auto device =
        options.gpu.empty() ? choose_fastest_device(options.device) : choose_device(options.device, options.gpu);
    require_ladder(operation);
    const Rung& rung = slash == std::string::npos
                           ? chosen_rung(operation, device->info().kind, problem)
                           : find_rung(operation, options.word.substr(slash + 1), device->info().kind);
    HostArrays arrays(operation, problem);
    for (std::size_t k = 0; k < inputs.size(); ++k)
        if (!inputs[k].bytes.empty()) std::memcpy(arrays.data(k), inputs[k].bytes.data(), inputs[k].bytes.size());
    progress.show(fmt::format("computing {} by {}/{} on {}", format_extents(operation, problem), operation.name,
                              rung.name, device->info().id));
    execute(*device, operation, rung, problem, arrays.buffers());

    const std::size_t out = inputs.size();  // outputs follow inputs, and each of these operations has one
    const auto shape = shape_of_array(operation, problem, out, given);
    const DType dtype = type_of_array(operation, arrays.specs()[out], given);
    progress.show("writing " + options.output);
    write_result(options.output, dtype, shape,
                 {reinterpret_cast<const std::uint8_t*>(arrays.data(out)), arrays.bytes(out)});
    progress.clear();
    context.hint(fmt::format("{}: {} {} by {}/{} on {}", options.output, describe_shape(shape), name_of(dtype),
                             operation.name, rung.name, device->info().id));
    return exit_status::good;
}

}  // namespace

void add_compute(CLI::App& app, Context& context) {
    auto options = std::make_shared<ComputeOptions>();
    Command command(app, context, "compute", "Compute an operation on arrays of your own: .npy in, .npy out");
    command.positional("OP[/RUNG]", options->word, "add, gelu, histogram, matmul, reduce or transpose");
    command.positionals("IN", options->inputs, "Arrays: .npy, or raw numbers with --dtype and --shape", true);
    command.output("-o,--output", options->output, "The result: .npy, or .raw for its bytes alone");
    command.option("--variant", options->variant, "NAME",
                   "reduce: sum, min, max, argmin or argmax; gelu: erf or tanh (the first)");
    command.option("--dtype", options->dtype, "TYPE", "Of raw inputs: float32, int32, …");
    command.list("--shape", options->shapes, "AxB", "Of a raw input, rows first; once for each");
    command.option("-d,--device", options->device, "DEVICE", "cuda[:N], simt or cpu (the first GPU, else cpu)");
    command.option("--gpu", options->gpu, "NAME", gpu_help());
    command.examples(
        "  lanework compute matmul a.npy b.npy -o c.npy\n"
        "  lanework compute reduce x.npy --variant argmax -o place.npy\n"
        "  lanework compute transpose m.raw --dtype float32 --shape 100x50 -o t.npy\n"
        "  lanework compute matmul/naive a.npy b.npy -o c.npy --device simt    that kernel, on the processor\n"
        "\n"
        "Shapes are rows x columns, as NumPy's.");
    command.run([options, &context] { return run(*options, context); });
}

}  // namespace lanework
