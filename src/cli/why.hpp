// Why a rung takes the time that it does, and what that would be on a GPU: from a trace on the simt device.
#pragma once

#include <optional>
#include <span>

#include "src/cli/selection.hpp"
#include "src/gpu/sass/code.hpp"
#include "src/trace/analyse/explanation.hpp"

namespace lanework {

struct Trace {
    /// The top finding in one line; empty where nothing was found.
    std::string why;
    /// None where another problem was traced.
    std::optional<EstimatedTime> estimate;
};

/// The explanation of a rung of simt, or of a GPU's by its twin on simt; none for cpu and library rungs, for rungs that
/// simt cannot run or that refuse the problem, and in builds without simt. A problem of a GPU, and with `quickly` any
/// that is too large to trace quickly, is replaced by the one that is timed on simt; what only its size would cause is
/// then left out.
struct TwinOptions {
    bool hazards = false, quickly = true;
    /// Followed too where it is given.
    std::span<const MachineCode> code = {};
};
std::optional<Explanation> explain_twin(const Job& job, std::uint64_t seed, const TwinOptions& options);

/// Of that explanation; empty where there is none.
Trace trace(const Job& job, std::uint64_t seed, std::span<const MachineCode> code);

}  // namespace lanework
