// How the arrays of an operation are shaped, and which problem given arrays are: for whoever computes on arrays of any
// operation.
#pragma once

#include <lanework/operation.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// What a caller may say of an operation besides its arrays and its form.
struct ArrayOption {
    std::string_view word, placeholder;              ///< as a command line has them: --alpha X
    std::string_view help;                           ///< what it is, and what it is by default
    std::span<const std::string_view> choices = {};  ///< where it is one of these words
};

/// The shapes of an operation's arrays, in the order of Operation::buffers.
struct OperationShapes {
    std::string_view operation;
    /// Names of the operation's axes and numbers, between spaces: "m n". "n…" is an array of any shape with n elements;
    /// an output of this kind has the shape of the first input. An axis behind which a ? stands may be left out where
    /// it is 1, as channels of a gray picture are; the output then has none either. One * of an array is the length
    /// that follows from how many elements the operation asks for. Empty: a scalar.
    std::vector<std::string_view> shapes;
    /// The same of each further form, where they are others: B of matmul by columns, and what is added to its products.
    std::vector<std::vector<std::string_view>> of_other_forms = {};
    /// Whether elements are moved and not computed: those of any type with as many bytes are.
    bool moves = false;
    /// Axes that no array has and that a caller has to say, such as rounds.
    std::vector<std::string_view> numbers = {};
    std::vector<ArrayOption> options = {};

    const std::vector<std::string_view>& of_form(std::uint8_t variant) const {
        return variant == 0 || of_other_forms.empty() ? shapes : of_other_forms[variant - std::size_t{1}];
    }
};

/// Those that compute on arrays.
std::span<const OperationShapes> operation_shapes();
/// Throws UsageError where this is none, and says what it is for.
const OperationShapes& shapes_of(const Operation& operation);

/// An array that somebody has.
struct GivenArray {
    std::string name;  ///< in messages: its file
    DType dtype;
    std::vector<std::int64_t> shape;
};

/// In messages: "3×4", "a vector of 5", "a scalar".
std::string shape_in_words(std::span<const std::int64_t> shape);

/// The names of the inputs of an operation on arrays.
std::vector<std::string_view> input_names(const Operation& operation, std::uint8_t variant);

/// The problem that these inputs are, of the form `variant`. `size` has what no input says: what the
/// output alone has, such as rows and columns of resize's, then OperationShapes::numbers; empty where there is nothing.
/// Throws UsageError: "matmul: b.npy is 3×4, and its n is 3 where that of a.npy is 5".
Problem problem_of(const Operation& operation, std::span<const GivenArray> inputs, std::uint8_t variant,
                   std::span<const std::int64_t> size = {});

/// The shape of array `index` of Operation::buffers.
std::vector<std::int64_t> shape_of_array(const Operation& operation, const Problem& problem, std::size_t index,
                                         std::span<const GivenArray> inputs);
/// The element type that it has for a caller: that of the input where elements are moved.
DType type_of_array(const Operation& operation, const BufferSpec& spec, std::span<const GivenArray> inputs);

}  // namespace lanework
