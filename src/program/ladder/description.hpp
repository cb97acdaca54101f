// operation.json: what an operation of a user's own computes with, and how its answers are judged.
#pragma once

#include <filesystem>
#include <lanework/operation.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "src/program/ladder/expression.hpp"

namespace lanework {

/// How the elements of an input are drawn.
struct Distribution {
    enum class Kind {
        uniform,      ///< from `low` to below `high`
        normal,       ///< of the mean `low` and the deviation `high`
        integers,     ///< whole numbers from `low` to below `high`
        permutation,  ///< the numbers from 0 in some order
        constant,     ///< `low`
    };
    Kind kind = Kind::uniform;
    std::optional<Expression> low, high;
};

struct OwnArray {
    enum class Use { in, out, in_place };
    std::string name;
    Use use = Use::in;
    /// Nothing for an array of the type that the operation is computed in.
    std::optional<DType> dtype;
    /// Its bytes (uint8) are numbers from -128 to 127.
    bool signed_bytes = false;
    /// Its bytes are 0 or 1.
    bool truth = false;
    std::vector<Expression> lengths;
    Distribution random;
};

struct OwnScalar {
    std::string name;
    Expression value;
};

struct Description {
    std::filesystem::path folder;
    /// The folder's.
    std::string name;
    std::string summary;
    std::vector<std::string> axes;
    /// Inputs, then arrays that are changed in place, then outputs; each kind in its order.
    std::vector<OwnArray> arrays;
    std::vector<OwnScalar> scalars;
    std::vector<DType> types;
    std::vector<Extents> verified, timed, timed_on_gpu;
    std::map<DType, Tolerance> tolerances;
    std::map<DType, Tolerance> tolerances_of_random;
    std::string tolerance_reason;
    std::optional<Expression> flops, bytes_read, bytes_written;
    /// What every rung is built with besides, as nvcc is told; on simt and on GPUs.
    std::vector<std::string> build, build_on_gpu;
    /// Names of kOwnInputs: what else the inputs hold.
    std::vector<std::string> hard_inputs;
    /// Why no plain kernel can be bound to it; empty where one can.
    std::string unbound = {};
    /// reference.py, or operation.cpp.
    std::filesystem::path reference;

    DType dtype_of(const OwnArray& array, DType computed) const { return array.dtype.value_or(computed); }
    /// What the names in expressions stand for.
    NamedValues values(const Problem& problem) const;
    /// Throws UsageError, with the size, for one in which it has none.
    std::size_t count(const OwnArray& array, const Problem& problem) const;
    /// "33x31".
    std::string size_text(const Problem& problem) const;
};

/// What plain kernels bind to in an operation that is written in C++: its arrays in their order, and its axes; the
/// types in which its arrays have one meaning.
Description description_of(const Operation& operation, const std::filesystem::path& folder);

/// Whether the folder holds an operation: operation.json or, in C++, operation.cpp.
bool is_own_ladder(const std::filesystem::path& folder);

/// Throws FileError for what cannot be read, UsageError that names file and member for what cannot be meant.
Description read_description(const std::filesystem::path& folder);
Description parse_description(const std::filesystem::path& folder, const std::string& text);
/// The same of a text whose folder is not there yet.
void check_description(const std::filesystem::path& folder, const std::string& text);

inline constexpr const char* kDescriptionFile = "operation.json";
inline constexpr const char* kReferenceFile = "reference.py";

/// A tolerance where nothing is stated: some roundings of the type.
Tolerance usual_tolerance(DType dtype);
/// The length of every axis that makes about so many elements in all.
std::int64_t usual_length(std::size_t axes, double elements);

}  // namespace lanework
