// The recordings that a folder of tests/golden holds, and what tracing the same runs says.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "src/trace/analyse/golden.hpp"

namespace lanework {

/// Every <operation>.json of the folder, by name; none when there is no such folder. Throws FileError.
std::vector<Recording> read_recordings(const std::filesystem::path& folder);
/// Its known-differences.json; none when there is none. Throws FileError.
std::vector<KnownDifference> read_known_differences(const std::filesystem::path& folder);
/// Writes <operation>.json. Throws FileError.
void write_recording(const std::filesystem::path& folder, const Recording& recording);

/// A run that the simt device cannot repeat, and why.
struct Untraced {
    std::string rung, problem, reason;
};

struct TracedRecordings {
    std::vector<CounterComparison> comparisons;
    std::vector<Untraced> untraced;
    /// Launches that were traced, and those of them whose machine code was not followed, by kernel.
    std::size_t launches = 0;
    std::vector<Untraced> not_followed;
};

/// The machine code of a rung's kernels for a compute capability; null where it is not at hand.
using CodeOf = std::function<std::shared_ptr<const MachineCode>(const Rung& rung, int capability)>;

/// Repeats every run on the simt device and compares its counters. Throws UsageError where an operation or a rung is
/// not there any more: then the recording is stale. `progress` is told what is traced. Where `code` is given, what it
/// gives is followed.
TracedRecordings trace_recordings(std::span<const Recording> recordings,
                                  const std::function<void(const std::string&)>& progress, const CodeOf& code = {});

}  // namespace lanework
