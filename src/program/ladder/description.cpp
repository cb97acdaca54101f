// What an operation of a user's own says, however it is described: sizes, lengths and types.
#include "src/program/ladder/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <lanework/error.hpp>
#include <numeric>
#include <utility>

#include "src/program/ladder/array_type.hpp"
#include "src/program/ladder/compiled_operation.hpp"

namespace lanework {

namespace fs = std::filesystem;

Tolerance usual_tolerance(DType dtype) {
    switch (dtype) {
        case DType::float64: return {.absolute = 1e-12, .relative = 1e-12};
        case DType::float32: return {.absolute = 1e-6, .relative = 1e-5};
        case DType::float16: return {.absolute = 1e-3, .relative = 2e-3};
        case DType::bfloat16: return {.absolute = 8e-3, .relative = 1.6e-2};
        default: return {};
    }
}

std::int64_t usual_length(std::size_t axes, double elements) {
    return std::max<std::int64_t>(1,
                                  std::llround(std::floor(std::pow(elements, 1.0 / static_cast<double>(axes)) + 1e-9)));
}

NamedValues Description::values(const Problem& problem) const {
    NamedValues result;
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
        result[axes[axis]] = static_cast<double>(problem.extent[axis]);
    for (const OwnScalar& scalar : scalars) result[scalar.name] = scalar.value.value(result);
    return result;
}

std::size_t Description::count(const OwnArray& array, const Problem& problem) const {
    const NamedValues known = values(problem);
    try {
        return std::accumulate(array.lengths.begin(), array.lengths.end(), std::size_t{1},
                               [&](std::size_t product, const Expression& length) {
                                   return product * static_cast<std::size_t>(length.whole(known));
                               });
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("{}, in the size {}", error.what(), size_text(problem)));
    }
}

std::string Description::size_text(const Problem& problem) const {
    std::string text;
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
        text += fmt::format("{}{}", axis > 0 ? "x" : "", problem.extent[axis]);
    return text;
}

Description description_of(const Operation& operation, const fs::path& folder) {
    Description result;
    result.folder = folder;
    result.name = operation.name;
    result.summary = operation.summary;
    result.axes.assign(operation.axes.begin(), operation.axes.end());
    if (!folder.empty()) result.reference = folder / kOperationFile;
    // Which arrays there are, and of which types, is the same in all sizes.
    const auto specs_of = [&](DType dtype) {
        return operation.buffers({.extent = operation.verified.back(), .dtype = dtype});
    };
    const DType first = operation.default_dtype();
    // An array's type is the one that is computed in, or is the same whichever that is.
    const auto fixed = [&](std::size_t i) {
        return std::ranges::all_of(operation.types, [&](const auto& each) {
            return specs_of(each.dtype)[i].dtype == specs_of(first)[i].dtype;
        });
    };
    const std::vector<BufferSpec> specs = specs_of(first);
    for (std::size_t i = 0; i < specs.size(); ++i) {
        if (specs[i].memory != Memory::device)
            result.unbound = fmt::format("`{}` of {} is the host's memory: its rungs are written with LANEWORK_RUNG",
                                         specs[i].name, operation.name);
        const bool several = operation.types.size() > 1;
        OwnArray array{
            .name = std::string(specs[i].name),
            .use = specs[i].role == Role::input ? OwnArray::Use::in : OwnArray::Use::out,
            .dtype = fixed(i) && (several || specs[i].dtype != first) ? std::optional(specs[i].dtype) : std::nullopt,
            .lengths = {},
            .random = {}};
        result.arrays.push_back(std::move(array));
    }
    for (const Operation::Typed& typed : operation.types) {
        const DType dtype = typed.dtype;
        const std::vector<BufferSpec> own = specs_of(dtype);
        const bool bound = !cuda_name(dtype).empty() && std::ranges::all_of(own, [&](const BufferSpec& spec) {
            const auto array = std::ranges::find(result.arrays, spec.name, &OwnArray::name);
            return array != result.arrays.end() && result.dtype_of(*array, dtype) == spec.dtype &&
                   !cuda_name(spec.dtype).empty();
        });
        if (bound) result.types.push_back(dtype);
    }
    return result;
}

bool is_own_ladder(const fs::path& folder) {
    std::error_code error;
    return fs::is_regular_file(folder / kDescriptionFile, error) || compiled_operation_name(folder).has_value();
}

}  // namespace lanework
