// What a command line of `profile` selects.
#pragma once

#include "src/cli/selection.hpp"
#include "src/profile/profiling.hpp"

namespace lanework {

/// Whether there is a rung of the same name on that kind of device.
bool is_on(const Operation& operation, const Rung& rung, DeviceKind kind);

/// The problems of the selection: each of --size, which may be several joined by commas. Without it those that
/// recordings are made on, as far as --dtype and --variant agree. Throws UsageError.
std::vector<Problem> profile_problems(const Operation& operation, const SelectionOptions& selection);

/// The selected rungs for this kind of device that compute the problems. Of a whole ladder: those that simt has too,
/// which are the ones to compare. Ladders and kernels of the user's own are built for both. Throws UsageError when
/// nothing is selected.
std::vector<ProfileJob> profile_jobs(const SelectionOptions& selection, DeviceKind kind);

}  // namespace lanework
