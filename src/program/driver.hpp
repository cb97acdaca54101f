// What `lanework cc` does: each of nvcc's stages, to the files that a build expects.
#pragma once

#include <string>

#include "src/program/build.hpp"

namespace lanework {

/// Does what the request asks for; what is for the standard output (-M, -E without a file). Throws CompilationError,
/// FileError, UsageError.
std::string drive(const Build& build, ProgramCache& cache, const BuildRequest& request);

/// What `--version` prints: builds look for the release in it.
std::string driver_version();

}  // namespace lanework
