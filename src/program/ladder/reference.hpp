// What says what is right for an operation of a user's own: functions in reference.py or reference.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <lanework/dtype.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/program/ladder/expression.hpp"

namespace lanework {

/// An array as a reference sees it: real numbers are doubles, whole numbers have 64 bits.
struct WideArray {
    std::string name;
    std::vector<std::int64_t> shape;
    bool real = true;
    /// The elements' bits.
    std::vector<std::uint64_t> elements;

    std::size_t count() const;
};

/// Elements of a type, widened, and back: rounded to nearest.
std::vector<std::uint64_t> widen(DType dtype, const void* elements, std::size_t count);
void narrow(DType dtype, const std::vector<std::uint64_t>& wide, void* elements);

class Reference {
public:
    virtual ~Reference() = default;

    /// Whether there is a function of this name: "magnitudes", "inputs", "compare"; "reference" there always is.
    virtual bool defines(std::string_view function) const = 0;
    /// Calls the function with those of the arrays and scalars that its parameters name, and fills `results`, whose
    /// names and shapes are given. Thread-safe. Throws FileError with what the function itself says is wrong.
    virtual void call(std::string_view function, const std::vector<WideArray>& given, const NamedValues& scalars,
                      std::vector<WideArray>& results) = 0;
    /// What "compare" says is wrong, or nothing.
    virtual std::string compare(const std::vector<WideArray>& given, const NamedValues& scalars) = 0;
};

/// A child python3 that has read the file. Throws UnavailableError where there is no Python with NumPy.
std::unique_ptr<Reference> python_reference(const std::filesystem::path& file);

}  // namespace lanework
