// The header is a dictionary as Python prints it: NumPy writes its three entries in this or another order.
#include "src/io/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <lanework/error.hpp>
#include <utility>

#include "src/core/printable.hpp"

namespace lanework {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 47;

struct Named {
    DType dtype;
    std::string_view descriptor;
};
constexpr Named kNames[] = {{DType::uint8, "|u1"},   {DType::int16, "<i2"},   {DType::uint16, "<u2"},
                            {DType::int32, "<i4"},   {DType::uint32, "<u4"},  {DType::int64, "<i8"},
                            {DType::uint64, "<u8"},  {DType::float16, "<f2"}, {DType::float32, "<f4"},
                            {DType::float64, "<f8"}, {DType::int8, "|i1"}};

[[noreturn]] void refuse(std::string_view name, const std::string& what) {
    throw FileError(fmt::format("{}: {}", printable(name), what));
}

/// What follows 'key': up to the first character of `ends` outside; empty where there is no such key.
std::string_view entry(std::string_view header, std::string_view key) {
    const auto at = header.find(fmt::format("'{}':", key));
    if (at == header.npos) return {};
    std::string_view rest = header.substr(at + key.size() + 3);
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    return rest;
}

/// What NumPy means by the letter of an element type that is no number of ours.
std::string_view kind_of_element(char letter) {
    constexpr std::pair<char, std::string_view> kKinds[] = {
        {'b', "booleans, "}, {'c', "complex numbers, "}, {'O', "Python objects, "}, {'S', "text, "},
        {'U', "text, "},     {'M', "dates, "},           {'m', "spans of time, "}};
    for (const auto& [own, words] : kKinds)
        if (own == letter) return words;
    return "";
}

/// The type, and whether its most significant byte is the first.
std::pair<DType, bool> type_of_descriptor(std::string_view text, std::string_view name) {
    if (text.starts_with('['))
        refuse(name, "its elements are records of several fields; one field is right: numpy.save(file, x['name'])");
    const auto end = text.size() > 1 && text[0] == '\'' ? text.find('\'', 1) : text.npos;
    if (end == text.npos) refuse(name, "the .npy header names no element type");
    const std::string_view descriptor = text.substr(1, end - 1);
    for (const Named& known : kNames) {
        if (descriptor == known.descriptor) return {known.dtype, false};
        if (descriptor.starts_with('>') && known.descriptor.starts_with('<') &&
            descriptor.substr(1) == known.descriptor.substr(1))
            return {known.dtype, true};
    }
    std::vector<std::string_view> types;
    for (const Named& known : kNames) types.push_back(name_of(known.dtype));
    refuse(name, fmt::format("its elements are {}`{}`; there are: {}",
                             kind_of_element(descriptor.size() > 1 ? descriptor[1] : '\0'), printable(descriptor),
                             fmt::join(types, ", ")));
}

std::vector<std::int64_t> shape_of(std::string_view text, std::string_view name) {
    const auto end = text.find(')');
    if (!text.starts_with('(') || end == text.npos) refuse(name, "the .npy header has no shape");
    std::vector<std::int64_t> shape;
    for (std::string_view rest = text.substr(1, end - 1); !rest.empty();) {
        if (rest.front() == ' ' || rest.front() == ',') {
            rest.remove_prefix(1);
            continue;
        }
        std::int64_t length = 0;
        const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
        if (error != std::errc() || length < 0) refuse(name, "the .npy header has a shape of other than lengths");
        shape.push_back(length);
        rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
    }
    return shape;
}

/// The dictionary, and where the elements begin.
std::pair<std::string_view, std::size_t> header_of(std::span<const std::uint8_t> file, std::string_view name) {
    constexpr std::string_view kMagic = "\x93NUMPY";
    if (file.empty()) refuse(name, "the file is empty");
    if (file.size() < 10 || std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0)
        refuse(name, "this is no .npy file, whatever its name says; raw numbers are right under another name");
    const int version = file[6];
    if (version < 1 || version > 3) refuse(name, fmt::format(".npy files of format {} are not known", version));
    const std::size_t before = version == 1 ? 10 : 12;
    if (file.size() < before) refuse(name, "the file ends in its header");
    std::size_t length = 0;
    for (std::size_t byte = before; byte-- > 8;) length = length << 8 | file[byte];
    if (length > file.size() - before) refuse(name, "the file ends in its header");
    return {{reinterpret_cast<const char*>(file.data()) + before, length}, before + length};
}

}  // namespace

std::int64_t elements_of(std::span<const std::int64_t> shape, std::string_view name) {
    std::int64_t count = 1;
    for (const std::int64_t length : shape) {
        if (length == 0) return 0;
        if (count > kMostElements / length)
            refuse(name, fmt::format("{} elements are more than 2^47", describe_shape(shape)));
        count *= length;
    }
    return count;
}

std::int64_t NpyArray::count() const { return elements_of(shape, "an array"); }

NpyArray parse_npy(std::span<const std::uint8_t> file, std::string_view name) {
    const auto [header, begin] = header_of(file, name);
    const auto [dtype, swapped] = type_of_descriptor(entry(header, "descr"), name);
    NpyArray array{.dtype = dtype,
                   .shape = shape_of(entry(header, "shape"), name),
                   .bytes = file.subspan(begin),
                   .by_columns = false,
                   .swapped = swapped};
    array.by_columns = entry(header, "fortran_order").starts_with("True") && array.shape.size() > 1;
    const std::size_t right = static_cast<std::size_t>(elements_of(array.shape, name)) * size_of(array.dtype);
    if (array.bytes.size() != right)
        refuse(name, fmt::format("{} {} elements are {} bytes; the file has {}", describe_shape(array.shape),
                                 name_of(array.dtype), right, array.bytes.size()));
    return array;
}

std::vector<std::uint8_t> in_c_order(const NpyArray& array) {
    const std::size_t size = size_of(array.dtype), axes = array.shape.size();
    std::vector<std::uint8_t> ordered(array.bytes.size());
    std::vector<std::size_t> stride(axes, 1), at(axes, 0);  // of the file, in elements
    if (array.by_columns)
        for (std::size_t axis = 1; axis < axes; ++axis)
            stride[axis] = stride[axis - 1] * static_cast<std::size_t>(array.shape[axis - 1]);
    std::size_t from = 0;
    for (std::size_t to = 0; to < ordered.size() / size; ++to) {
        const std::uint8_t* const element = array.bytes.data() + (array.by_columns ? from : to) * size;
        if (array.swapped)
            std::reverse_copy(element, element + size, ordered.data() + to * size);
        else
            std::copy_n(element, size, ordered.data() + to * size);
        for (std::size_t axis = axes; axis-- > 0;) {
            from += stride[axis];
            if (++at[axis] < static_cast<std::size_t>(array.shape[axis])) break;
            from -= stride[axis] * at[axis];
            at[axis] = 0;
        }
    }
    return ordered;
}

std::string_view npy_descriptor(DType dtype) {
    for (const Named& known : kNames)
        if (known.dtype == dtype) return known.descriptor;
    throw UsageError(fmt::format("NumPy's files have no {}; name the output .raw", name_of(dtype)));
}

std::string describe_shape(std::span<const std::int64_t> shape) {
    return shape.empty() ? "()" : fmt::format("{}", fmt::join(shape, "×"));
}

}  // namespace lanework
