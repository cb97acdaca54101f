// Arrays of NumPy's .npy files, read.
#pragma once

#include <lanework/dtype.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// An array as its file has it. Its bytes are the caller's.
struct NpyArray {
    DType dtype = DType::float32;
    std::vector<std::int64_t> shape;  ///< of a scalar empty
    std::span<const std::uint8_t> bytes;
    bool by_columns = false;  ///< the first index is the fastest: Fortran's order
    bool swapped = false;     ///< the most significant byte of an element is the first

    /// Whether the bytes are those of an array in C order on this machine.
    bool is_plain() const { return !by_columns && !swapped; }

    /// Elements: the product of the shape, at most 2^47.
    std::int64_t count() const;
};

/// What a .npy file of format 1, 2 or 3 holds. Throws FileError that names the file: no .npy file, an element type that
/// Lanework does not compute in, fewer or more bytes than the shape says.
NpyArray parse_npy(std::span<const std::uint8_t> file, std::string_view name);

/// The bytes in C order, the least significant byte of an element first.
std::vector<std::uint8_t> in_c_order(const NpyArray& array);

/// NumPy's name of an element type, "<f4". Throws UsageError for bfloat16, which NumPy does not have.
std::string_view npy_descriptor(DType dtype);

/// "3×4", "5", "()": a shape in a message.
std::string describe_shape(std::span<const std::int64_t> shape);

/// The product of lengths that are not negative. Throws FileError with the name where it is more than 2^47.
std::int64_t elements_of(std::span<const std::int64_t> shape, std::string_view name);

}  // namespace lanework
