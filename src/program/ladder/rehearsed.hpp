// Launches of sizes that nobody computes here: whether the GPU that simt stands for takes them.
#pragma once

#include <string>
#include <vector>

#include "src/program/ladder/own_rung.hpp"

namespace lanework {

/// What that GPU cannot launch of the rung in this size, and where, in one line; empty where it can, or where that
/// depends on what kernels compute. The rung, made for simt and loaded, is called without arrays and runs no kernel.
std::string impossible_launch(const OwnRung& rung, const Problem& problem);

/// The sizes of `time`, for simt and for cuda, of one type.
std::vector<Problem> timed_problems(const Operation& operation, DType dtype);

}  // namespace lanework
