// The table of shapes, and axes bound by what is given.
#include "src/library/array/shapes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>
#include <optional>

namespace lanework {
namespace {

constexpr std::string_view kAnyShape = "n…";
/// A length that follows from how many elements the operation asks for.
constexpr std::string_view kRest = "*";

std::vector<std::string_view> words_of(std::string_view shape) {
    std::vector<std::string_view> words;
    while (!shape.empty()) {
        const auto end = shape.find(' ');
        words.push_back(shape.substr(0, end));
        shape.remove_prefix(end == shape.npos ? shape.size() : end + 1);
    }
    return words;
}

/// The axis of a word, and whether it may be left out.
std::pair<std::string_view, bool> axis_of(std::string_view word) {
    const bool optional = word.ends_with('?');
    return {word.substr(0, word.size() - (optional ? 1 : 0)), optional};
}

std::optional<std::int64_t> number_of(std::string_view word) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size()) return {};
    return number;
}

/// What a shape of axes looks like: "rows×cols", "height×width×channels or height×width".
std::string text_of_axes(std::string_view shape) {
    const auto words = words_of(shape);
    std::vector<std::string_view> all, without;
    for (const std::string_view word : words) {
        const auto [axis, optional] = axis_of(word);
        all.push_back(axis);
        if (!optional) without.push_back(axis);
    }
    if (words.empty()) return "a scalar";
    const std::string text = fmt::format("{}{}", words.size() == 1 ? "a vector of " : "", fmt::join(all, "×"));
    return without.size() == all.size() ? text : fmt::format("{} or {}", text, fmt::join(without, "×"));
}

/// The lengths of an operation's axes, as far as arrays have said them, each with the array that did.
class Axes {
public:
    explicit Axes(const Operation& operation)
        : operation_(operation), lengths_(operation.axes.size()), said_by_(operation.axes.size()) {}

    void bind(std::string_view axis, std::int64_t length, const GivenArray& array) {
        const auto at = static_cast<std::size_t>(std::ranges::find(operation_.axes, axis) - operation_.axes.begin());
        if (lengths_[at] && *lengths_[at] != length)
            throw UsageError(fmt::format("{}: {} is {}, and its {} is {} where that of {} is {}", operation_.name,
                                         array.name, shape_in_words(array.shape), axis, length, said_by_[at],
                                         *lengths_[at]));
        lengths_[at] = length;
        said_by_[at] = array.name;
    }
    bool has(std::string_view axis) const {
        return lengths_[static_cast<std::size_t>(std::ranges::find(operation_.axes, axis) - operation_.axes.begin())]
            .has_value();
    }
    /// As --size takes them.
    std::string size() const {
        std::vector<std::int64_t> lengths;
        for (const auto& length : lengths_)
            if (length) lengths.push_back(*length);
        return fmt::format("{}", fmt::join(lengths, "x"));
    }

private:
    const Operation& operation_;
    std::vector<std::optional<std::int64_t>> lengths_;
    std::vector<std::string> said_by_;
};

std::int64_t count_of(const Operation& operation, const GivenArray& array) {
    std::int64_t count = 1;
    for (const std::int64_t length : array.shape)
        if (__builtin_mul_overflow(count, length, &count))
            throw UsageError(fmt::format("{}: {} has more elements than any memory", operation.name, array.name));
    return count;
}

void bind_array(Axes& axes, const Operation& operation, std::string_view shape, const GivenArray& array) {
    if (shape == kAnyShape) return axes.bind(operation.axes.front(), count_of(operation, array), array);
    const auto words = words_of(shape);
    const bool left_out = array.shape.size() + 1 == words.size() && axis_of(words.back()).second;
    if (words.size() != array.shape.size() && !left_out)
        throw UsageError(fmt::format("{}: {} is {}; {} is right", operation.name, array.name,
                                     shape_in_words(array.shape), text_of_axes(shape)));
    for (std::size_t k = 0; k < words.size(); ++k) {
        const std::int64_t length = k < array.shape.size() ? array.shape[k] : 1;
        if (const auto number = number_of(words[k]); number && *number != length)
            throw UsageError(fmt::format("{}: {} is {}; {} is right", operation.name, array.name,
                                         shape_in_words(array.shape), text_of_axes(shape)));
        else if (!number && words[k] != kRest)
            axes.bind(axis_of(words[k]).first, length, array);
    }
}

/// Binds the axes that no input has: of the output alone, and numbers such as rounds.
void bind_size(Axes& axes, const Operation& operation, const OperationShapes& shapes, std::string_view output,
               std::span<const std::int64_t> size) {
    std::vector<std::string_view> open;
    if (output != kAnyShape)
        for (const std::string_view word : words_of(output))
            if (const std::string_view axis = axis_of(word).first; axis != kRest && !number_of(axis) && !axes.has(axis))
                open.push_back(axis);
    open.insert(open.end(), shapes.numbers.begin(), shapes.numbers.end());
    if (open.size() != size.size())
        throw UsageError(
            open.empty()
                ? fmt::format("{}: every length follows from the input; no size is right", operation.name)
                : fmt::format("{}: the size {}; {} number{} right, which no input says: {}", operation.name,
                              size.empty() ? "is missing"
                                           : fmt::format("has {} number{}", size.size(), size.size() == 1 ? "" : "s"),
                              open.size(), open.size() == 1 ? " is" : "s are", fmt::join(open, " x ")));
    for (std::size_t k = 0; k < open.size(); ++k) axes.bind(open[k], size[k], {"the size", DType::uint8, {}});
}

/// The operation's type for an array's.
DType computed_as(const Operation& operation, const GivenArray& array) {
    const bool moves = shapes_of(operation).moves;
    std::vector<std::string_view> names;
    for (const DType type : kDTypes) {
        const auto as_wide = [&](const auto& own) { return size_of(own.dtype) == size_of(type); };
        const bool has =
            moves ? type != DType::tfloat32 && std::ranges::any_of(operation.types, as_wide) : operation.has(type);
        if (has) names.push_back(name_of(type));
        if (!has || type != array.dtype) continue;
        if (!moves) return type;
        for (const auto& own : operation.types)
            if (size_of(own.dtype) == size_of(type)) return own.dtype;
    }
    throw UsageError(fmt::format("{}: {} holds {}; {} {} right", operation.name, array.name, name_of(array.dtype),
                                 fmt::join(names, ", "), names.size() == 1 ? "is" : "are"));
}

}  // namespace

std::string shape_in_words(std::span<const std::int64_t> shape) {
    if (shape.empty()) return "a scalar";
    return fmt::format("{}{}", shape.size() == 1 ? "a vector of " : "", fmt::join(shape, "×"));
}

std::span<const OperationShapes> operation_shapes() {
    constexpr std::string_view kImage = "height width channels?";
    static constexpr std::string_view kActivations[] = {"none", "gelu", "gelu_tanh"};
    static const std::vector<OperationShapes> all{
        {"add", {kAnyShape, kAnyShape, kAnyShape}},
        {"atomics", {"*", "calls", "*", "*"}, {}, false, {"per_cell"}},
        {"banks", {"32 32", "n"}, {}, false, {"sweeps"}},
        {"batched_matmul",
         {"products m n", "products n k", "products m k"},
         {{"products m n", "products k n", "products m k"}}},
        {"blur", {kImage, kImage}},
        {"coefficients", {kAnyShape, "degree", kAnyShape}},
        {"coordinates", {"* 18"}, {}, false, {"grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z"}},
        {"copy", {kAnyShape, kAnyShape}, {}, true},
        {"divergence", {kAnyShape, kAnyShape}, {}, false, {"rounds"}},
        {"fma", {kAnyShape, "2", kAnyShape}, {}, false, {"steps"}},
        {"gelu", {kAnyShape, kAnyShape}},
        {"gray", {"height width channels", "height width"}},
        {"histogram", {kAnyShape, "256"}},
        {"index", {"n"}},
        {"matmul",
         {"m n", "n k", "m k"},
         {{"m n", "k n", "m k"},
          {"m n", "n k", "k", "m k"},
          {"m n", "k n", "k", "m k"},
          {"m n", "n k", "k", "m k"},
          {"m n", "k n", "k", "m k"},
          {"m n", "n k", "k", "m k"},
          {"m n", "k n", "k", "m k"},
          {"m n", "n k", "k", "m k", "m k"},
          {"m n", "k n", "k", "m k", "m k"}},
         false,
         {},
         {{"--alpha", "X", "what the product is multiplied with (1)"},
          {"--beta", "X", "what a third input, of the result's shape, is multiplied with and added (0)"},
          {"--bias", "FILE", "an array that is added to each row of the result: an element for each column"},
          {"--activation", "NAME", "what becomes of that sum", kActivations}}},
        {"mma", {"64 *", "* 256", "tiles 64 256"}, {}, false, {"steps"}},
        {"overlap", {"tasks n", "tasks n"}},
        {"pipeline", {kAnyShape, kAnyShape, kAnyShape}},
        {"read", {kAnyShape, ""}},
        {"reduce", {kAnyShape, ""}},
        {"relay", {kAnyShape, kAnyShape}, {}, false, {"steps"}},
        {"resize", {kImage, "out_height out_width channels?"}},
        {"sobel", {kImage, kImage}},
        {"spill", {kAnyShape, kAnyShape}, {}, false, {"steps"}},
        {"tally", {"threads", "cells"}, {}, false, {"rounds"}},
        {"transfer", {kAnyShape, kAnyShape}, {}, true},
        {"transpose", {"rows cols", "cols rows"}, {}, true},
        {"write", {"", "words"}}};
    return all;
}

namespace {

/// What others are for, in words that follow their name.
constexpr std::pair<std::string_view, std::string_view> kNotOnArrays[] = {
    {"decode", "takes a network's output: `lanework compute decode` and the function of that name do"},
    {"letterbox", "takes pictures: `lanework compute letterbox` and the function of that name do"},
    {"neighbors", "takes atoms: `lanework compute neighbors` and the function of that name do"},
    {"nms", "takes boxes: `lanework compute nms` and the function of that name do"},
    {"tensor", "takes pictures: `lanework compute tensor` and the function of that name do"},
    {"warp", "takes pictures: `lanework compute warp` and the function of that name do"}};

/// Whether an array of this type holds elements of that: bits have a carrier where files have no such type.
bool holds(DType given, DType wanted) {
    return given == wanted || (wanted == DType::bfloat16 && given == DType::uint16) ||
           (wanted == DType::float32 && given == DType::tfloat32);
}
/// Throws UsageError for an input that is not of its type: that of the first, or what follows from it.
void require_type(const Operation& operation, std::span<const GivenArray> inputs, std::size_t k, const Problem& any) {
    const DType wanted = operation.buffers(any)[k].dtype;
    const bool alike = shapes_of(operation).moves || wanted == any.dtype;
    if (alike ? inputs[k].dtype == inputs[0].dtype : holds(inputs[k].dtype, wanted)) return;
    if (!alike)
        throw UsageError(fmt::format("{}: {} holds {}; {} is right beside {}", operation.name, inputs[k].name,
                                     name_of(inputs[k].dtype), name_of(wanted), name_of(any.dtype)));
    throw UsageError(fmt::format("{}: {} holds {} and {} {}; they must be of one type", operation.name, inputs[0].name,
                                 name_of(inputs[0].dtype), inputs[k].name, name_of(inputs[k].dtype)));
}

}  // namespace

const OperationShapes& shapes_of(const Operation& operation) {
    for (const OperationShapes& shapes : operation_shapes())
        if (shapes.operation == operation.name) return shapes;
    const auto reason = std::ranges::find(kNotOnArrays, operation.name, [](const auto& each) { return each.first; });
    throw UsageError(fmt::format("{} is not computed on arrays: it {}", operation.name,
                                 reason == std::end(kNotOnArrays) ? "has no table of their shapes" : reason->second));
}

std::vector<std::string_view> input_names(const Operation& operation, std::uint8_t variant) {
    std::vector<std::string_view> names;
    const Problem any{operation.verified.front(), operation.default_dtype(), variant};
    for (const BufferSpec& spec : operation.buffers(any))
        if (spec.role == Role::input) names.push_back(spec.name);
    return names;
}

Problem problem_of(const Operation& operation, std::span<const GivenArray> inputs, std::uint8_t variant,
                   std::span<const std::int64_t> size) {
    const std::vector<std::string_view>& shapes = shapes_of(operation).of_form(variant);
    const std::vector<std::string_view> wanted = input_names(operation, variant);
    if (inputs.size() != wanted.size())
        throw UsageError(
            fmt::format("{}: {} input{} given; {}", operation.name, inputs.size(), inputs.size() == 1 ? " is" : "s are",
                        wanted.empty() ? "it takes none"
                                       : fmt::format("{} {} right: {}", wanted.size(),
                                                     wanted.size() == 1 ? "is" : "are", fmt::join(wanted, ", "))));
    const DType dtype = inputs.empty() ? operation.default_dtype() : computed_as(operation, inputs[0]);
    Axes axes(operation);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        require_type(operation, inputs, k, {operation.verified.front(), dtype, variant});
        if (shapes[k] == kAnyShape && inputs[k].shape != inputs[0].shape)
            throw UsageError(fmt::format("{}: {} is {} and {} {}; they must be equal", operation.name, inputs[0].name,
                                         shape_in_words(inputs[0].shape), inputs[k].name,
                                         shape_in_words(inputs[k].shape)));
        bind_array(axes, operation, shapes[k], inputs[k]);
    }
    bind_size(axes, operation, shapes_of(operation), shapes.back(), size);
    Problem problem = parse_problem(operation, axes.size(), dtype);
    problem.variant = variant;
    return problem;
}

std::vector<std::int64_t> shape_of_array(const Operation& operation, const Problem& problem, std::size_t index,
                                         std::span<const GivenArray> inputs) {
    const std::string_view shape = shapes_of(operation).of_form(problem.variant)[index];
    if (shape == kAnyShape) return inputs[0].shape;
    const std::vector<std::string_view> words = words_of(shape);
    std::vector<std::int64_t> lengths;
    for (const std::string_view each : words) {
        const auto [word, optional] = axis_of(each);
        if (optional && inputs[0].shape.size() + 1 == words_of(shapes_of(operation).shapes[0]).size()) continue;
        const auto at = static_cast<std::size_t>(std::ranges::find(operation.axes, word) - operation.axes.begin());
        const std::optional<std::int64_t> number = number_of(word);
        lengths.push_back(number ? *number : word == kRest ? 1 : problem.extent[at]);
    }
    if (const auto rest = std::ranges::find(words, kRest); rest != words.end()) {
        std::int64_t others = 1;
        for (const std::int64_t length : lengths) others *= length;
        lengths[static_cast<std::size_t>(rest - words.begin())] =
            others == 0 ? 0 : static_cast<std::int64_t>(operation.buffers(problem)[index].count) / others;
    }
    return lengths;
}

DType type_of_array(const Operation& operation, const BufferSpec& spec, std::span<const GivenArray> inputs) {
    return shapes_of(operation).moves ? inputs[0].dtype : spec.dtype;
}

}  // namespace lanework
