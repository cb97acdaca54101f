// What a file holds its name decides: that of a picture may be any that pictures have.
#include "src/cli/array_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <lanework/error.hpp>
#include <lanework/image_file.hpp>

#include "src/cli/outputs.hpp"
#include "src/cli/selection.hpp"
#include "src/io/file.hpp"
#include "src/io/npy.hpp"
#include "src/io/npz.hpp"

namespace lanework {
namespace {

constexpr std::string_view kArchive = ".npz", kInArchive = ".npz:";

FileArray from_npy(const std::string& name, std::vector<std::uint8_t> file) {
    FileArray array{.given = {}, .member = {}, .owned = std::move(file), .bytes = {}};
    const NpyArray parsed = parse_npy(array.owned, name);
    array.given = {name, parsed.dtype, parsed.shape};
    array.bytes = parsed.bytes;
    if (parsed.is_plain()) return array;
    array.owned = in_c_order(parsed);
    array.bytes = array.owned;
    return array;
}

void add_archive(std::vector<FileArray>& arrays, const std::string& path, std::string_view member) {
    std::string names;
    bool found = member.empty();
    for (NpzMember& each : parse_npz(read_file(path), path)) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
        if (!member.empty() && each.name != member) continue;
        arrays.push_back(from_npy(fmt::format("{}:{}", path, each.name), std::move(each.npy)));
        arrays.back().member = std::move(each.name);
        found = true;
    }
    if (!found) throw UsageError(fmt::format("{}: it has no array `{}`; there are: {}", path, member, names));
}

FileArray from_picture(const std::string& path) {
    Image image = read_image(path, Alpha::keep);
    FileArray array{.given = {path, DType::uint8, {image.height, image.width}},
                    .member = {},
                    .owned = std::move(image.pixels),
                    .bytes = {}};
    if (image.channels > 1) array.given.shape.push_back(image.channels);
    array.bytes = array.owned;
    return array;
}

FileArray from_raw(const std::string& path, const RawNumbers& raw, std::size_t index) {
    if (path.ends_with(".json"))
        throw UsageError(fmt::format("{}: JSON holds boxes, which nms takes; an array is right: .npy, .npz", path));
    if (raw.dtype.empty() || raw.shapes.size() <= index)
        throw UsageError(
            fmt::format("{}: raw numbers need --dtype and a --shape for each file of them; arrays are "
                        ".npy or .npz, and pictures have their own names",
                        path));
    FileArray array{.given = {path, parse_type(raw.dtype), parse_shape(raw.shapes[index])},
                    .member = {},
                    .owned = read_file(path),
                    .bytes = {}};
    const std::size_t right =
        static_cast<std::size_t>(elements_of(array.given.shape, path)) * size_of(array.given.dtype);
    if (array.owned.size() != right)
        throw FileError(fmt::format("{}: {} {} elements are {} bytes; the file has {}", path,
                                    describe_shape(array.given.shape), raw.dtype, right, array.owned.size()));
    array.bytes = array.owned;
    return array;
}

/// The type that carries the bits of one that .npy has no name for.
DType carrier_of(DType type) {
    switch (type) {
        case DType::bfloat16: return DType::uint16;
        case DType::float8_e4m3: return DType::uint8;
        case DType::tfloat32: return DType::float32;
        default: return type;
    }
}

/// Takes the array's elements for those of --dtype, whose bits they may carry.
void take_for(FileArray& array, const std::string& wanted) {
    const DType type = parse_type(wanted), own = array.given.dtype, carrier = carrier_of(type);
    if (own != type && own != carrier)
        throw UsageError(fmt::format("{} holds {}; with --dtype {} {}{} is right", array.given.name, name_of(own),
                                     wanted, carrier == type ? "" : fmt::format("{} or ", name_of(carrier)),
                                     name_of(type)));
    array.given.dtype = type;
}

bool is_picture(const MadeArray& array) {
    const auto& shape = array.shape;
    if (array.dtype != DType::uint8 || std::ranges::count(shape, 0) > 0) return false;
    return shape.size() == 2 || (shape.size() == 3 && (shape[2] == 1 || shape[2] == 3 || shape[2] == 4));
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

std::vector<std::int64_t> parse_shape(std::string_view text) {
    std::vector<std::int64_t> shape;
    for (std::string_view rest = text;;) {
        std::int64_t length = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
        const auto read = static_cast<std::size_t>(end - rest.data());
        if (error != std::errc() || length < 0 || (read < rest.size() && rest[read] != 'x'))
            throw UsageError(fmt::format("`{}` is no shape: lengths joined by x are right, as 100x50", text));
        shape.push_back(length);
        if (read == rest.size()) return shape;
        rest.remove_prefix(read + 1);
    }
}

std::size_t end_of_file_name(std::string_view path) {
    const auto at = path.find(kInArchive);
    return at == path.npos ? path.size() : at + kArchive.size();
}

std::vector<FileArray> read_arrays(std::span<const std::string> paths, const RawNumbers& raw,
                                   const std::function<void(const std::string&)>& reading) {
    std::vector<FileArray> arrays;
    std::size_t raw_files = 0;
    for (const std::string& path : paths) {
        reading(path);
        const std::size_t end = end_of_file_name(path);
        if (end < path.size() || path.ends_with(kArchive))
            add_archive(arrays, path.substr(0, end), end < path.size() ? path.substr(end + 1) : "");
        else if (path.ends_with(".npy"))
            arrays.push_back(from_npy(path, read_file(path)));
        else if (has_image_extension(path))
            arrays.push_back(from_picture(path));
        else
            arrays.push_back(from_raw(path, raw, raw_files++));
    }
    if (raw.shapes.size() > raw_files)
        throw UsageError(fmt::format("--shape is given {} times, for {} raw files: the others say theirs",
                                     raw.shapes.size(), raw_files));
    if (!raw.dtype.empty() && raw_files == 0)
        for (FileArray& array : arrays) take_for(array, raw.dtype);
    return arrays;
}

std::vector<FileArray> by_names(std::vector<FileArray> arrays, std::span<const std::string_view> names) {
    if (names.empty()) return arrays;  // which are then one too many
    std::vector<FileArray*> found;
    for (const std::string_view name : names) {
        const auto at = std::ranges::find(arrays, name, &FileArray::member);
        if (at == arrays.end()) return arrays;
        found.push_back(&*at);
    }
    std::vector<FileArray> chosen;
    for (FileArray* array : found) chosen.push_back(std::move(*array));
    return chosen;
}

void require_array_file(const std::string& path) {
    if (path.ends_with(".npy") || path.ends_with(kArchive) || path.ends_with(".raw") || has_image_extension(path))
        return;
    throw UsageError(fmt::format("-o {}: .npy, .npz and .raw are right, and of pictures .png and its like", path));
}

void require_array_file(const std::string& path, std::span<const MadeArray> arrays) {
    if (path.ends_with(kArchive)) return;
    if (arrays.size() != 1)
        throw UsageError(fmt::format("-o {}: {} arrays are made; .npz holds several", path, arrays.size()));
    if (has_image_extension(path) && !is_picture(arrays[0]))
        throw UsageError(
            fmt::format("-o {}: a picture is uint8, rows × columns and perhaps × 3 or 4 channels; {} {} is none", path,
                        describe_shape(arrays[0].shape), name_of(arrays[0].dtype)));
}

void write_arrays(const std::string& path, std::span<const MadeArray> arrays) {
    if (path.ends_with(kArchive)) {
        Npz archive;
        for (const MadeArray& array : arrays)
            archive.add(array.name, npy_descriptor(array.dtype), array.shape, array.bytes);
        return write_output(path, archive.pieces());
    }
    const MadeArray& array = arrays[0];
    if (has_image_extension(path)) {
        const Image image{array.shape[0],
                          array.shape[1],
                          array.shape.size() == 3 ? static_cast<int>(array.shape[2]) : 1,
                          {array.bytes.begin(), array.bytes.end()}};
        const std::vector<std::uint8_t> file = encode_image(path, image);
        const std::span<const std::uint8_t> pieces[] = {file};
        return write_output(path, pieces);
    }
    const std::string header = path.ends_with(".npy") ? npy_header(npy_descriptor(array.dtype), array.shape) : "";
    const std::span<const std::uint8_t> pieces[] = {bytes_of(header), array.bytes};
    write_output(path, pieces);
}

}  // namespace lanework
