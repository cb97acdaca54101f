// The counters of a user's program, ours beside the hardware's.
#pragma once

#include <string>

#include "src/profile/nsight_csv.hpp"
#include "src/profile/profile_report.hpp"

namespace lanework {

/// Which of a program's launches Nsight Compute counts, as its option --kernel-id has it: launch `launch` (from 1) of
/// each kernel, or of the one of this name.
std::string counted_launches(const std::string& kernel, int launch);

/// The launches of an explanation, as `explain FILE.cu --json` writes it, each beside the hardware's of the same kernel
/// and sizes; behind them those that the hardware alone counted. Throws JsonError for what is no explanation.
RungProfile program_profile(const std::string& title, const std::string& explanation, const NsightTable& hardware);

}  // namespace lanework
