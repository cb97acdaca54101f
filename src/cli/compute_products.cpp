// lanework compute matmul with what becomes of its sums: the public function, since no rung is told alpha and beta.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <lanework/array.hpp>
#include <lanework/device_array.hpp>
#include <limits>

#include "ops/matmul/operation.hpp"
#include "src/cli/compute.hpp"
#include "src/cli/progress.hpp"
#include "src/core/exit_status.hpp"
#include "src/io/npy.hpp"

namespace lanework {
namespace {

const std::string& value_of(const ComputeOptions& options, const char* word) {
    static const std::string kNone;
    const auto found = options.array_values.find(word);
    return found == options.array_values.end() ? kNone : found->second;
}

/// alpha or beta; of integers whole numbers.
template <class Factor>
Factor factor_of(const ComputeOptions& options, const char* word, Factor usual) {
    const std::string& text = value_of(options, word);
    if (text.empty()) return usual;
    Factor value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_read = error == std::errc() && end == text.data() + text.size();
    if constexpr (std::is_integral_v<Factor>) {
        if (!is_read) throw UsageError(fmt::format("{} `{}` is not a whole number of 32 bits", word, text));
    } else {
        if (!is_read || !std::isfinite(value))
            throw UsageError(fmt::format("{} `{}` is not a finite number in float32", word, text));
    }
    return value;
}

MatmulActivation activation_in(const ComputeOptions& options) {
    const std::string& word = value_of(options, "--activation");
    return word == "gelu"        ? MatmulActivation::gelu
           : word == "gelu_tanh" ? MatmulActivation::gelu_tanh
                                 : MatmulActivation::none;
}

MatmulForm form_in(const ComputeOptions& options) {
    if (options.variant.empty() || options.variant == "nn") return MatmulForm::nn;
    if (options.variant == "nt") return MatmulForm::nt;
    throw UsageError(
        fmt::format("--variant `{}`: with {} nn and nt are right", options.variant, typed_array_option(options)));
}

/// Of a product; no file: it is not added.
struct Inputs {
    FileArray a, b, addend, bias;
};

Inputs read_inputs(const ComputeOptions& options, Progress& progress) {
    const bool adds = !value_of(options, "--beta").empty();
    const std::size_t factors = 2, wanted = factors + adds;
    const auto reading = [&](const std::string& path) { progress.show("reading " + path); };
    constexpr std::string_view kNames[] = {"a", "b", "c"};
    std::vector<FileArray> arrays = by_names(read_arrays(options.inputs, options.raw, reading), {kNames, wanted});
    if (arrays.size() != wanted)
        throw UsageError(fmt::format(
            "{}: {} input{} given; {}", options.word, arrays.size(), arrays.size() == 1 ? " is" : "s are",
            adds ? "3 are right with --beta: a, b and what is added" : "2 are right: a, b; --beta adds a third"));
    Inputs inputs{std::move(arrays[0]), std::move(arrays[1]), {}, {}};
    if (adds) inputs.addend = std::move(arrays[factors]);
    if (const std::string& path = value_of(options, "--bias"); !path.empty()) {
        arrays = read_arrays({&path, 1}, {}, reading);
        if (arrays.size() != 1)
            throw UsageError(fmt::format("--bias {}: {} arrays are in it; FILE.npz:NAME is one", path, arrays.size()));
        inputs.bias = std::move(arrays.front());
    }
    return inputs;
}

/// The product that these are, whose shapes and types fit each other. What is not given counts as what would be right.
Problem problem_of(const Operation& operation, const Inputs& inputs, MatmulForm form) {
    const GivenArray factors[] = {inputs.a.given, inputs.b.given};
    Problem problem = problem_of(operation, factors, variant_of(form, MatmulEpilogue::none));
    const auto [m, n, k] = problem.lengths<MatmulAxes>();
    const DType made = operation.buffers(problem).back().dtype;
    const auto or_right = [&](const FileArray& array, std::vector<std::int64_t> shape) {
        return array.given.name.empty() ? GivenArray{{}, made, std::move(shape)} : array.given;
    };
    const GivenArray all[] = {inputs.a.given, inputs.b.given, or_right(inputs.bias, {k}),
                              or_right(inputs.addend, {m, k})};
    return problem_of(operation, all, variant_of(form, MatmulEpilogue::scaled));
}

template <class T>
DeviceArray<T> on_device(Device& device, const FileArray& array) {
    return {device, {reinterpret_cast<const T*>(array.bytes.data()), array.bytes.size() / sizeof(T)}};
}

/// The result's elements.
template <class T>
std::vector<std::byte> compute_on(Device& device, const Problem& problem, const Inputs& inputs,
                                  const ComputeOptions& options) {
    using C = MatmulResult<T>;
    using Factor = typename Epilogue<C>::Factor;
    const auto [m, n, k] = problem.lengths<MatmulAxes>();
    const bool by_columns = form_of(problem) == MatmulForm::nt;
    const auto a = on_device<T>(device, inputs.a), b = on_device<T>(device, inputs.b);
    const auto bias = on_device<C>(device, inputs.bias);
    const DeviceArray<C> c =
        inputs.addend.bytes.empty() ? DeviceArray<C>(device, m * k) : on_device<C>(device, inputs.addend);
    const Epilogue<C> epilogue{factor_of<Factor>(options, "--alpha", 1), factor_of<Factor>(options, "--beta", 0),
                               bias.view(), activation_in(options)};
    const std::size_t bytes = matmul_workspace(m, n, k, problem.dtype, form_of(problem), epilogue.kind(), device);
    const DeviceArray<std::byte> workspace(device, static_cast<std::int64_t>(bytes));
    matmul(MatrixView<const T>(a.matrix(m, n)), MatrixView<const T>(by_columns ? b.matrix(k, n) : b.matrix(n, k)),
           c.matrix(m, k), form_of(problem), epilogue, {workspace.data(), bytes}, device);
    device.synchronize();
    const std::vector<C> made = c.to_host();
    const auto* const begin = reinterpret_cast<const std::byte*>(made.data());
    return {begin, begin + made.size() * sizeof(C)};
}

std::vector<std::byte> compute_as(Device& device, const Problem& problem, const Inputs& inputs,
                                  const ComputeOptions& options) {
    switch (problem.dtype) {
        case DType::float32: return compute_on<float>(device, problem, inputs, options);
        case DType::float16: return compute_on<float16>(device, problem, inputs, options);
        case DType::bfloat16: return compute_on<bfloat16>(device, problem, inputs, options);
        case DType::int8: return compute_on<std::int8_t>(device, problem, inputs, options);
        case DType::float8_e4m3: return compute_on<float8_e4m3>(device, problem, inputs, options);
        case DType::tfloat32: return compute_on<tfloat32>(device, problem, inputs, options);
        default: return compute_on<std::int32_t>(device, problem, inputs, options);
    }
}

}  // namespace

int compute_product(const ComputeOptions& options, const Operation& operation, const Context& context) {
    require_options_of(ComputedOn::arrays, options);
    require_array_file(options.output);
    const MatmulForm form = form_in(options);
    if (!options.size.empty())
        throw UsageError(fmt::format("{}: every length follows from the input; no size is right", options.word));
    Progress progress(context);
    const Inputs inputs = read_inputs(options, progress);
    const Problem problem = problem_of(operation, inputs, form);
    const auto [m, n, k] = problem.lengths<MatmulAxes>();
    MadeArray made{"c", operation.buffers(problem).back().dtype, {m, k}, {}};
    require_array_file(options.output, {&made, 1});
    const auto device = options.open_device();
    progress.show(fmt::format("computing {} on {}", operation.name, device->info().id));
    const std::vector<std::byte> bytes = compute_as(*device, problem, inputs, options);
    made.bytes = {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
    progress.show("writing " + options.output);
    write_arrays(options.output, {&made, 1});
    progress.clear();
    context.hint(fmt::format("{}: {} {} by {} on {}", options.output, describe_shape(made.shape), name_of(made.dtype),
                             operation.name, device->info().id));
    return exit_status::good;
}

}  // namespace lanework
