// The instructions of PTX that give one value of their operands, its special registers and its types.
#pragma once

#include <string>
#include <string_view>

namespace lanework::cudafe {

inline constexpr std::string_view kFloats = "f32 f64";

/// Whether a list of words, with blanks between them, has one.
bool among(std::string_view words, std::string_view word);

/// The C++ type of a type of PTX; empty for a word that is none.
std::string cpp_type(std::string_view ptx);

/// An instruction that gives one value: its name with the modifiers that choose it, how many operands it reads, the
/// types that it has, and the function; an empty one is called after the instruction.
struct PlainInstruction {
    std::string_view name;
    std::size_t sources;
    std::string_view types, function;
};
/// By its name with the modifiers that choose it, without types and rounding; null for one that there is not.
const PlainInstruction* plain_instruction(std::string_view name);

/// A product of tensor cores: how many rows and columns a has (b has as many rows as those, and 8 columns), how many
/// bits an element of both, and which types the sums may have.
struct MatrixProduct {
    std::string_view shape, a, b;
    std::size_t rows, depth, bits;
    std::string_view sums;
};
/// Of a shape, as "m16n8k16", and the types of both factors; null for one that there is not.
const MatrixProduct* matrix_product(std::string_view shape, std::string_view a, std::string_view b);
/// The C++ type that stands for the elements of a factor.
std::string matrix_element(std::string_view type);

/// The value of a special register, as C++; empty for one that there is not.
std::string_view special_register(std::string_view name);

}  // namespace lanework::cudafe
