// The first half of a judgement: a stranger's file becomes a library.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "src/program/ladder/judge.hpp"

namespace lanework {

/// A wrong rung: thrown where it shows.
struct FaultFound {
    Fault fault;
    std::string reason;
    std::optional<FirstDifference> difference = {};
};

/// What the compiler made of it, and what it said.
struct CompiledRung {
    std::filesystem::path library;
    std::vector<std::filesystem::path> objects;
    std::string said;
};

/// The rung's own sources, its file and those that it says it is built with, and what they include.
std::vector<std::filesystem::path> own_files(const OwnRung& rung);

/// The compiler runs in a process that reads the toolchain, the rung's folder and the cache, and nothing else: what a
/// rung includes does not come out in the compiler's messages. Throws FaultFound for what does not compile.
CompiledRung compile_in_cell(const OwnRung& rung, const Build& build, const JudgeOptions& options);

}  // namespace lanework
