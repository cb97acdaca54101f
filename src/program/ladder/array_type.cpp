// Every name that a type of elements goes by.
#include "src/program/ladder/array_type.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <lanework/error.hpp>
#include <utility>

namespace lanework {
namespace {

constexpr std::pair<std::string_view, DType> kNames[] = {{"float", DType::float32},
                                                         {"double", DType::float64},
                                                         {"half", DType::float16},
                                                         {"__half", DType::float16},
                                                         {"fp16", DType::float16},
                                                         {"f16", DType::float16},
                                                         {"__nv_bfloat16", DType::bfloat16},
                                                         {"nv_bfloat16", DType::bfloat16},
                                                         {"bf16", DType::bfloat16},
                                                         {"fp32", DType::float32},
                                                         {"f32", DType::float32},
                                                         {"fp64", DType::float64},
                                                         {"f64", DType::float64},
                                                         {"bool", DType::uint8},
                                                         {"int", DType::int32},
                                                         {"unsigned", DType::uint32},
                                                         {"unsigned int", DType::uint32},
                                                         {"short", DType::int16},
                                                         {"unsigned short", DType::uint16},
                                                         {"unsigned char", DType::uint8},
                                                         {"long", DType::int64},
                                                         {"long long", DType::int64},
                                                         {"unsigned long", DType::uint64},
                                                         {"unsigned long long", DType::uint64}};

constexpr std::string_view kSignedBytes[] = {"int8", "int8_t", "signed char", "std::int8_t"};

}  // namespace

bool names_signed_bytes(std::string_view name) {
    return std::ranges::find(kSignedBytes, name) != std::end(kSignedBytes);
}

std::optional<DType> element_type(std::string_view name) {
    if (name.starts_with("std::")) name.remove_prefix(5);
    if (name.ends_with("_t") && name.find("int") != name.npos) name.remove_suffix(2);
    for (const DType dtype : kDTypes)
        if (name_of(dtype) == name && !cuda_name(dtype).empty()) return dtype;
    for (const auto& [known, dtype] : kNames)
        if (known == name) return dtype;
    return {};
}

std::string_view cuda_name(DType dtype) {
    switch (dtype) {
        case DType::uint8: return "unsigned char";
        case DType::int16: return "short";
        case DType::uint16: return "unsigned short";
        case DType::int32: return "int";
        case DType::uint32: return "unsigned int";
        case DType::int64: return "long long";
        case DType::uint64: return "unsigned long long";
        case DType::float16: return "__half";
        case DType::bfloat16: return "__nv_bfloat16";
        case DType::float32: return "float";
        case DType::float64: return "double";
        case DType::int8:  // lies in bytes: kSignedBytes
        case DType::float8_e4m3:
        case DType::tfloat32: return "";  // not of one's own ladders
    }
    return "";
}

ArrayType read_array_type(std::string_view text) {
    text = trimmed(text);
    const std::size_t open = std::min(text.find('['), text.size());
    const std::string_view element = trimmed(text.substr(0, open));
    if (open == text.size() || !text.ends_with(']'))
        throw UsageError(fmt::format("`{}` is no array: a type and lengths are, as in float[n,m]", text));
    ArrayType result;
    result.signed_bytes = names_signed_bytes(element);
    result.truth = element == "bool";
    result.dtype = result.signed_bytes ? DType::uint8 : element_type(element);
    if (!result.dtype && element != kGenericType)
        throw UsageError(
            fmt::format("`{}` is no type of elements; there are: {}, int8, bool, and T for the one that is "
                        "asked for; vectors are arrays with one more length: float[n,2]",
                        element,
                        fmt::join(
                            [] {
                                std::vector<std::string_view> names;
                                for (const DType dtype : kDTypes)
                                    if (!cuda_name(dtype).empty()) names.push_back(name_of(dtype));
                                return names;
                            }(),
                            ", ")));
    for (const std::string& length : split_list(text.substr(open + 1, text.size() - open - 2)))
        result.lengths.push_back(Expression::read(length));
    return result;
}

}  // namespace lanework
