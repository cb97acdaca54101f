// An operation that is written in C++, as those of ops/ are, in any folder: compiled, loaded, and the program's as they
// are.
#pragma once

#include <filesystem>
#include <lanework/operation.hpp>
#include <optional>
#include <string>

#include "src/program/build.hpp"
#include "src/program/ladder/rung_library.hpp"

namespace lanework {

inline constexpr const char* kOperationFile = "operation.cpp";

/// The name that LANEWORK_OPERATION(name, …) of the folder's operation.cpp gives it; nothing where there is none.
std::optional<std::string> compiled_operation_name(const std::filesystem::path& folder);

struct CompiledOperation {
    const Operation* operation = nullptr;
    std::filesystem::path folder;
    /// Of all its rungs but the file.
    RungPlace place;
};

/// Compiles operation.cpp and the other sources beside it, where that was not done before, and loads them for the rest
/// of the process. Includes of "ops/NAME/…" are those of this folder, whatever its place. Throws CompilationError,
/// UnavailableError where the library's own headers are not here.
CompiledOperation compile_operation(const std::filesystem::path& folder, const Build& build);

}  // namespace lanework
