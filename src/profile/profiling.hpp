// Profiling rungs: a child process launches each once, Nsight Compute counts, and the counts are sorted by rung.
#pragma once

#include <lanework/device.hpp>
#include <lanework/operation.hpp>

#include "src/profile/nsight_csv.hpp"
#include "src/trace/analyse/golden.hpp"

namespace lanework {

/// One rung on one problem.
struct ProfileJob {
    const Operation* operation;
    const Rung* rung;
    Problem problem;

    bool operator==(const ProfileJob&) const = default;
};

/// What a recording keeps of the GPU.
struct ProfiledGpu {
    int capability = 0, multiprocessors = 0;
};

/// Runs the rung exactly once, on the seed's inputs, within an NVTX range of its name (range_name). What a profiler
/// sees are the rung's own launches. Throws UnavailableError when the rung refuses, DeviceError when it fails.
void launch_once(Device& device, const ProfileJob& job, std::uint64_t seed);

/// What was profiled, one recording for each operation in the order of the jobs; jobs without a launch have a run
/// without launches. Only metrics that we know are kept.
std::vector<Recording> recordings_of(const NsightTable& table, std::span<const ProfileJob> jobs, std::uint64_t seed,
                                     const ProfiledGpu& gpu, const std::vector<Fact>& provenance);

/// A run of which nothing is known but what it is of.
RecordedRun unrecorded(const ProfileJob& job, std::uint64_t seed);

}  // namespace lanework
