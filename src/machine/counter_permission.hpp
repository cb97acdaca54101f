// Whether a process may read a GPU's performance counters, which profilers need.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lanework {

/// `parameters` is the text of /proc/driver/nvidia/params, if it is there; `capabilities` is the effective set of the
/// process (CapEff). Says yes or no, why, and the remedy.
std::string describe_counter_permission(const std::optional<std::string>& parameters, std::uint64_t capabilities);

/// The effective capabilities out of the text of /proc/self/status; 0 when it does not name them.
std::uint64_t effective_capabilities(const std::string& status);

/// The same for this process.
std::string describe_counter_permission();

}  // namespace lanework
