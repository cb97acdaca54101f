// Why a rung takes the time that it does: the top finding of a trace on the simt device.
#pragma once

#include "src/cli/selection.hpp"

namespace lanework {

/// In one line; empty for cpu and library rungs, for rungs that simt cannot run, where nothing was found, and in builds
/// without simt. A problem that is too large to trace quickly is replaced by the one that is timed on simt; what only
/// its size would cause is then left out.
std::string why(const Job& job, std::uint64_t seed);

}  // namespace lanework
