// How a user writes the type of an array: "float[n,m]", in the words of C++, CUDA, NumPy or Lanework.
#pragma once

#include <lanework/operation.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "src/program/ladder/expression.hpp"

namespace lanework {

/// What stands for the type that an operation is computed in.
inline constexpr std::string_view kGenericType = "T";

/// "float[n,m]": an element's type and lengths. Nothing is the type `T`, which the operation is computed in.
struct ArrayType {
    std::optional<DType> dtype;
    /// int8, which is kept as uint8.
    bool signed_bytes = false;
    bool truth = false;
    std::vector<Expression> lengths;
};
ArrayType read_array_type(std::string_view text);

/// "float", "int32", "half", …, as C++, CUDA, NumPy or Lanework call it.
std::optional<DType> element_type(std::string_view name);
/// "int8", "signed char" and the like, which no operation is computed in, but arrays can be of.
bool names_signed_bytes(std::string_view name);
/// What CUDA C++ calls it.
std::string_view cuda_name(DType dtype);

}  // namespace lanework
