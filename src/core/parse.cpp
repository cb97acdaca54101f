// Reading what a user types after --size, --dtype, --variant and --input.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>
#include <limits>

#include "src/core/length.hpp"
#include "src/core/printable.hpp"

namespace lanework {
namespace {

// Beyond this no machine's memory reaches, and products of a few extents still fit 64 bits.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 47;

std::string expected(const Operation& operation) {
    return fmt::format("{} takes {} like {}", operation.name, fmt::join(operation.axes, "x"),
                       format_extents(operation, {operation.timed.cpu.front()}));
}

constexpr std::int64_t kMostLength = std::numeric_limits<std::int64_t>::max();

/// Digits and nothing else; the most that there is where they are beyond 64 bits.
std::optional<std::int64_t> parse_digits(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range && text.front() != '-' && end == text.data() + text.size())
        return kMostLength;
    if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

std::int64_t parse_length(const Operation& operation, std::string_view size, std::string_view part) {
    const auto length = lanework::parse_length(part);
    if (!length)
        throw UsageError(
            fmt::format("size `{}`: `{}` is not a length; {}", printable(size), printable(part), expected(operation)));
    if (*length == kMostLength)
        throw UsageError(fmt::format("size `{}`: {} is beyond 64 bits", printable(size), printable(part)));
    return *length;
}

/// The product of so many of the lengths, the largest first; where it does not fit 64 bits, the most that does.
std::uint64_t product_of_largest(std::size_t count, const Problem& problem) {
    Extents lengths = problem.extent;
    std::sort(lengths.begin(), lengths.end(), std::greater<>());
    std::uint64_t product = 1;
    for (const std::int64_t length : std::span(lengths).first(count))
        if (__builtin_mul_overflow(product, static_cast<std::uint64_t>(std::max<std::int64_t>(length, 1)), &product))
            return std::numeric_limits<std::uint64_t>::max();
    return product;
}

/// Whether the arrays of a problem are beyond kMostBytes. They tell it themselves, once the lengths are small enough
/// for sums of 64 bits: all of them together, or, where axes may be left out, the largest three (an image's lengths
/// before and after are not factors of one size). Few elements are not asked: some operations must make their input to
/// tell.
bool is_too_large(const Operation& operation, const Problem& problem) {
    constexpr std::uint64_t kFew = kMostBytes >> 16;  // of 64 KiB each: a tile of tensor cores
    if (operation.usual.empty()) {
        const std::uint64_t elements = product_of_largest(problem.extent.size(), problem);
        if (elements < kFew || elements >= kMostBytes / 8) return elements >= kFew;
    } else if (product_of_largest(3, problem) >= std::uint64_t{1} << 58) {
        return true;
    }
    std::uint64_t bytes = 0;
    for (const BufferSpec& spec : operation.buffers(problem)) bytes += spec.count * size_of(spec.dtype);
    return bytes >= kMostBytes;
}

void check_bytes(const Operation& operation, std::string_view size, const Problem& problem) {
    if (is_too_large(operation, problem))
        throw UsageError(
            fmt::format("size `{}` overflows: {} would need more than 2^47 bytes", printable(size), operation.name));
}

}  // namespace

std::optional<std::int64_t> parse_length(std::string_view text) {
    const auto caret = text.find('^');
    const auto base = parse_digits(text.substr(0, caret));
    if (!base || caret == text.npos) return base;
    const auto exponent = parse_digits(text.substr(caret + 1));
    if (!exponent) return std::nullopt;
    if (*base <= 1) return *exponent == 0 ? 1 : *base;
    std::int64_t power = 1;
    for (std::int64_t i = 0; i < *exponent; ++i)
        if (__builtin_mul_overflow(power, *base, &power)) return kMostLength;
    return power;
}

Problem parse_problem(const Operation& operation, std::string_view size, DType dtype) {
    Problem problem{.dtype = dtype};
    std::size_t axis = 0;
    for (std::string_view rest = size;; ++axis) {
        const auto cross = rest.find('x');
        if (axis >= operation.axes.size())
            throw UsageError(fmt::format("size `{}` has too many axes; {}", printable(size), expected(operation)));
        problem.extent[axis] = parse_length(operation, size, rest.substr(0, cross));
        if (cross == std::string_view::npos) break;
        rest.remove_prefix(cross + 1);
    }
    const std::size_t needed = operation.axes.size() - operation.usual.size();
    if (axis + 1 < needed)
        throw UsageError(fmt::format("size `{}` has too few axes; {}", printable(size), expected(operation)));
    for (++axis; axis < operation.axes.size(); ++axis) problem.extent[axis] = operation.usual[axis - needed];
    check_bytes(operation, size, problem);
    return problem;
}

std::string describe_axes(const Operation& operation) {
    const std::size_t needed = operation.axes.size() - operation.usual.size();
    std::string text = fmt::format("{}", fmt::join(operation.axes.first(needed), " x "));
    for (std::size_t axis = needed; axis < operation.axes.size(); ++axis)
        text += fmt::format(" [x {} ({})]", operation.axes[axis], operation.usual[axis - needed]);
    return text;
}

std::string format_extents(const Operation& operation, const Problem& problem) {
    return fmt::format("{}", fmt::join(std::span(problem.extent).first(operation.told_axes(problem)), "x"));
}

DType parse_dtype(const Operation& operation, std::string_view name) {
    std::vector<std::string_view> names;
    for (const auto& typed : operation.types) {
        if (name_of(typed.dtype) == name) return typed.dtype;
        names.push_back(name_of(typed.dtype));
    }
    throw UsageError(fmt::format("{} is not defined for `{}`; it computes {}", operation.name, printable(name),
                                 fmt::join(names, ", ")));
}

std::uint8_t parse_variant(const Operation& operation, std::string_view name) {
    for (std::size_t i = 0; i < operation.variants.size(); ++i)
        if (operation.variants[i] == name) return static_cast<std::uint8_t>(i);
    if (operation.variants.empty())
        throw UsageError(fmt::format("{} has no variants; leave out `{}`", operation.name, printable(name)));
    throw UsageError(fmt::format("{} has no variant `{}`; there are: {}", operation.name, printable(name),
                                 fmt::join(operation.variants, ", ")));
}

InputIndex parse_input(const Operation& operation, std::string_view name) {
    std::vector<std::string_view> names;
    for (InputIndex input = kRandomInput; input <= operation.inputs.size(); ++input) {
        if (operation.name_of_input(input) == name) return input;
        names.push_back(operation.name_of_input(input));
    }
    throw UsageError(
        fmt::format("{} has no input `{}`; there are: {}", operation.name, printable(name), fmt::join(names, ", ")));
}

}  // namespace lanework
