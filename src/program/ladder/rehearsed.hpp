// Launches of sizes that nobody computes here: whether the GPU that simt stands for takes them.
#pragma once

#include <string>
#include <vector>

#include "src/program/ladder/own_rung.hpp"

namespace lanework {

struct RehearsedLaunches {
    /// What that GPU cannot launch, and where, in one line; empty where it takes every launch that was reached.
    std::string refused;
    /// Why not every launch was reached, in one line; empty where the rung came to its end.
    std::string unended;
};
/// What is said of a rehearsal that did not come to its end.
std::string not_rehearsed(const std::string& why);

/// The rung, made for simt and loaded, is called in this size, without arrays, and runs no kernel.
RehearsedLaunches rehearse(const OwnRung& rung, const Problem& problem);

/// The sizes of `time`, for simt and for cuda, of one type.
std::vector<Problem> timed_problems(const Operation& operation, DType dtype);

}  // namespace lanework
