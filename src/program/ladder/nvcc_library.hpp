// A rung's file made a library by nvcc, for the GPUs of this machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "src/program/build.hpp"
#include "src/program/ladder/build_words.hpp"
#include "src/program/ladder/tuning.hpp"

namespace lanework {

struct NvccLibrary {
    /// What is compiled, and what that includes of the rung's own: an entry of the cache is of these contents.
    std::filesystem::path source;
    std::string name;
    /// The rung's file, as messages name it.
    std::string shown;
    std::vector<std::filesystem::path> read;
    std::vector<std::string> options;
    /// Behind the source: what else it is built with; null for nothing.
    const BuildWords* more = nullptr;
    /// "native": this machine's GPUs.
    std::string architecture;
};

/// The library, from the cache where nothing has changed. Throws CompilationError when what is wrong was told,
/// UnavailableError where there is no nvcc.
std::filesystem::path build_with_nvcc(const NvccLibrary& library, const Build& build, ProgramCache& cache);

/// A folder that holds the rung's file and what it includes of its own folder, each by its path from `root`, with these
/// texts; messages and debug information name the files themselves.
std::filesystem::path copy_with_texts(const std::filesystem::path& file, const IncludeRoot& root,
                                      const SourceTexts& texts, const ProgramCache& cache);

}  // namespace lanework
