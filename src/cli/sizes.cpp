// Reads lists of sizes and sweeps over an axis.
#include "src/cli/sizes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>

#include "src/core/length.hpp"
#include "src/core/printable.hpp"

namespace lanework {
namespace {

constexpr std::size_t kMostShapes = 1000;

struct Range {
    std::string axis;
    std::int64_t from = 0, to = 0, factor = 1, step = 0;
};

[[noreturn]] void reject(const std::string& text, std::string_view why) {
    throw UsageError(
        fmt::format("--sweep `{}`: {}; right is size=2^10..2^28, or rows=100..1000+100", printable(text), why));
}

std::int64_t read_length(const std::string& text, std::string_view part) {
    const auto length = parse_length(part);
    if (!length) reject(text, fmt::format("`{}` is not a length", printable(part)));
    return *length;
}

Range read_sweep(const std::string& text) {
    const auto equals = text.find('='), dots = text.find("..");
    if (equals == text.npos || equals == 0 || dots == text.npos || dots < equals)
        reject(text, "it is not AXIS=FROM..TO");
    Range sweep{.axis = text.substr(0, equals), .factor = 2};
    const std::string_view from = std::string_view(text).substr(equals + 1, dots - equals - 1);
    std::string_view to = std::string_view(text).substr(dots + 2);
    if (const auto sign = to.find_first_of("*+"); sign != to.npos) {
        const std::int64_t by = read_length(text, to.substr(sign + 1));
        const bool adds = to[sign] == '+';
        if (by < (adds ? 1 : 2)) reject(text, "it would not end");
        sweep.factor = adds ? 1 : by;
        sweep.step = adds ? by : 0;
        to = to.substr(0, sign);
    }
    sweep.from = read_length(text, from);
    sweep.to = read_length(text, to);
    if (sweep.from > sweep.to) reject(text, "it begins above its end");
    if (sweep.from == 0 && sweep.step == 0) reject(text, "it would not end");
    return sweep;
}

std::vector<std::int64_t> lengths_of(const Range& sweep, const std::string& text) {
    std::vector<std::int64_t> lengths;
    for (std::int64_t length = sweep.from; length <= sweep.to;) {
        if (lengths.size() == kMostShapes) reject(text, fmt::format("it has more than {} sizes", kMostShapes));
        lengths.push_back(length);
        if (__builtin_mul_overflow(length, sweep.factor, &length) ||
            __builtin_add_overflow(length, sweep.step, &length))
            break;
    }
    return lengths;
}

std::vector<std::size_t> axes_of(const Operation& operation, const Range& sweep) {
    std::vector<std::size_t> axes;
    for (std::size_t axis = 0; axis < operation.axes.size(); ++axis)
        if (operation.axes[axis] == sweep.axis) return {axis};
    if (sweep.axis != "size")
        throw UsageError(fmt::format("{} has no axis `{}`; it has {}", operation.name, printable(sweep.axis),
                                     axes_to_sweep(operation)));
    for (std::size_t axis = 0; axis < operation.axes.size() - operation.usual.size(); ++axis) axes.push_back(axis);
    return axes;
}

std::string size_of_extents(const Operation& operation, const Extents& shape) {
    return fmt::format("{}", fmt::join(std::span(shape).first(operation.axes.size()), "x"));
}

std::vector<Extents> run_through(const Operation& operation, const std::vector<Extents>& bases, const std::string& text,
                                 DType dtype) {
    const Range sweep = read_sweep(text);
    const auto axes = axes_of(operation, sweep);
    const auto lengths = lengths_of(sweep, text);
    if (bases.size() * lengths.size() > kMostShapes)
        reject(text, fmt::format("it makes more than {} sizes", kMostShapes));
    std::vector<Extents> shapes;
    for (const Extents& base : bases)
        for (const std::int64_t length : lengths) {
            Extents shape = base;
            for (const std::size_t axis : axes) shape[axis] = length;
            shapes.push_back(parse_problem(operation, size_of_extents(operation, shape), dtype).extent);
        }
    return shapes;
}

}  // namespace

std::vector<Extents> parse_shapes(const Operation& operation, const std::string& sizes,
                                  const std::vector<std::string>& sweeps, DType dtype, const Extents& usual) {
    std::vector<Extents> shapes;
    for (std::size_t at = 0, end = 0; !sizes.empty() && at <= sizes.size(); at = end + 1) {
        end = std::min(sizes.find(',', at), sizes.size());
        shapes.push_back(parse_problem(operation, std::string_view(sizes).substr(at, end - at), dtype).extent);
    }
    if (shapes.empty()) shapes.push_back(usual);
    for (const std::string& sweep : sweeps) shapes = run_through(operation, shapes, sweep, dtype);
    return shapes;
}

Sweep parse_sweep(const std::string& text) {
    const Range range = read_sweep(text);
    return {.axis = range.axis, .values = lengths_of(range, text)};
}

bool sweeps_sizes(const Operation& operation, const std::string& sweep) {
    const std::string axis = read_sweep(sweep).axis;
    return axis == "size" || std::ranges::find(operation.axes, axis) != operation.axes.end();
}

std::string axes_to_sweep(const Operation& operation) {
    return fmt::format("{}, and `size` for all of them", fmt::join(operation.axes, ", "));
}

}  // namespace lanework
