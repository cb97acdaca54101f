// Running a program under Nsight Compute.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/machine/cuda_toolkit.hpp"
#include "src/profile/nsight_csv.hpp"

namespace lanework {

/// Nsight Compute's command line tool: that of a toolkit, or of its own folder in /opt. Empty when there is none.
std::filesystem::path find_ncu();
std::filesystem::path find_ncu(const ToolkitPlaces& here);

/// How ncu is called: it measures these metrics of every launch that `program` makes, without touching the clocks, and
/// writes its table to `log`. `launches` says which launches, as for --kernel-id; all where it is empty.
std::vector<std::string> ncu_command(const std::filesystem::path& ncu, std::span<const std::string> metrics,
                                     const std::filesystem::path& log, std::span<const std::string> program,
                                     const std::string& launches = {});

/// What ncu's log says went wrong, with the remedy where there is one; empty when nothing did.
std::string ncu_failure(std::string_view log);
/// The metrics that ncu's log says it does not know.
std::vector<std::string> unknown_metrics(std::string_view log);

/// "2025.3.1.0", or empty.
std::string ncu_version(const std::filesystem::path& ncu);

struct NsightOptions {
    /// Where ncu's log is copied to; empty for nowhere.
    std::filesystem::path keep = {};
    /// As ncu_command has them.
    std::string launches = {};
    /// Told of each metric that is left out.
    std::function<void(const std::string&)> tell = {};
};

/// Profiles a program; metrics that this GPU or this ncu does not have are left out. Throws UnavailableError with what
/// is missing and the remedy, FileError for a table that cannot be understood.
NsightTable profile_program(const std::filesystem::path& ncu, std::span<const std::string> metrics,
                            std::span<const std::string> program, const NsightOptions& options);

}  // namespace lanework
