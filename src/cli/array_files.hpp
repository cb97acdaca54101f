// Arrays of a user's own in files: .npy, .npz, pictures, raw numbers.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "src/library/array/shapes.hpp"

namespace lanework {

/// What raw numbers are, as it was typed.
struct RawNumbers {
    std::string dtype;
    std::vector<std::string> shapes;  ///< one for each raw file
};

/// An array that was read. It may be moved.
struct FileArray {
    GivenArray given;
    std::string member;               ///< of a .npz, what the array is called in it
    std::vector<std::uint8_t> owned;  ///< what `bytes` are a part of
    std::span<const std::uint8_t> bytes;
};

/// The arrays of these files in their order: .npy has one, .npz those that are in it, of which FILE.npz:NAME is one; a
/// picture is uint8, rows × columns, and × channels where it has several; any other file is raw numbers. `reading` is
/// called with each path first. Where none is raw, --dtype says what the bits of all are. Throws FileError for what
/// cannot be read, UsageError for raw numbers without a type or a shape, and for bits that are not of that type.
std::vector<FileArray> read_arrays(std::span<const std::string> paths, const RawNumbers& raw,
                                   const std::function<void(const std::string&)>& reading);

/// The arrays with these names, in this order, where an archive has all of them; else all arrays as they are.
std::vector<FileArray> by_names(std::vector<FileArray> arrays, std::span<const std::string_view> names);

/// "100x50": lengths from 0 on. Throws UsageError.
std::vector<std::int64_t> parse_shape(std::string_view text);

/// Where a path of `FILE.npz:NAME` ends and the name begins; the path's length where there is none.
std::size_t end_of_file_name(std::string_view path);

/// An array to be written, whose bytes are the caller's.
struct MadeArray {
    std::string_view name;
    DType dtype;
    std::vector<std::int64_t> shape;
    std::span<const std::uint8_t> bytes;
};

/// Throws UsageError where a file of this name can hold no arrays, or not these (`bytes` may be missing): .npz holds
/// any, .npy and .raw one, a picture one of uint8 with rows, columns and 1, 3 or 4 channels.
void require_array_file(const std::string& path);
void require_array_file(const std::string& path, std::span<const MadeArray> arrays);
/// Writes them, whole or not at all. Throws FileError.
void write_arrays(const std::string& path, std::span<const MadeArray> arrays);

}  // namespace lanework
