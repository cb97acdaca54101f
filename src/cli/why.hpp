// Why a rung takes the time that it does, and what that would be on a GPU: from a trace on the simt device.
#pragma once

#include <optional>

#include "src/cli/selection.hpp"

namespace lanework {

struct Trace {
    /// The top finding in one line; empty where nothing was found.
    std::string why;
    /// None where another problem was traced.
    std::optional<EstimatedTime> estimate;
};

/// Empty for cpu and library rungs, for rungs that simt cannot run, and in builds without simt. A problem that is too
/// large to trace quickly is replaced by the one that is timed on simt; what only its size would cause is then left
/// out.
Trace trace(const Job& job, std::uint64_t seed);

}  // namespace lanework
