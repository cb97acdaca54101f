// Explaining a rung: running it once on the simt device, traced.
#pragma once

#include <functional>
#include <lanework/operation.hpp>
#include <optional>
#include <span>
#include <vector>

#include "src/gpu/gpus.hpp"
#include "src/gpu/sass/code.hpp"
#include "src/trace/analyse/explanation.hpp"

namespace lanework {

struct ExplainOptions {
    /// The schedule to follow; 0 is the natural order, whose counters are the ones to compare with a GPU's.
    std::uint64_t schedule = 0;
    /// Look for races, bad addresses and uninitialised reads too.
    bool hazards = true;
    /// The GPU that the device stands for, and that findings about time are for; null: the first of gpus().
    const Gpu* gpu = nullptr;
    /// The machine code of the rung's files for that GPU, whose executions are counted then; none: what is written.
    std::span<const MachineCode> code = {};
    /// Which of the operation's inputs the arrays hold.
    InputIndex input = kRandomInput;
    /// The time, and what mending a finding would save, are for this larger problem, of which the traced one is a
    /// slice.
    std::optional<Problem> timed = {};
};

/// Runs the rung, one of the simt device's, on inputs drawn from the seed. A launch that fails is part of the
/// explanation. Throws UnavailableError when the rung refuses the problem or this build has no simt device.
Explanation explain(const Operation& operation, const Rung& rung, const Problem& problem, std::uint64_t seed,
                    const ExplainOptions& options = {});

/// The same of a run of the caller's own: `run` launches the rung, and throws DeviceError where that fails. `further`
/// analysers see it, too.
Explanation explain_run(const Operation& operation, const Rung& rung, const Problem& problem, std::uint64_t seed,
                        const ExplainOptions& options, const std::vector<Analyser*>& further,
                        const std::function<void()>& run);

}  // namespace lanework
