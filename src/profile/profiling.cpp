// From jobs to launches, and from a table of launches to recordings.
#include "src/profile/profiling.hpp"

#include <algorithm>
#include <lanework/execute.hpp>
#include <lanework/registry.hpp>

#include "src/cuda/nvtx_range.hpp"

namespace lanework {
namespace {

// Where in the table's lines each kept metric is.
std::vector<std::size_t> known_columns(const NsightTable& table) {
    std::vector<std::size_t> columns;
    for (const Metric& metric : metrics()) {
        const auto found = std::ranges::find(table.metrics, metric.name);
        if (found != table.metrics.end()) columns.push_back(static_cast<std::size_t>(found - table.metrics.begin()));
    }
    return columns;
}

RecordedLaunch launch_of(const NsightRow& row, const std::vector<std::size_t>& columns) {
    RecordedLaunch launch{row.kernel, row.grid, row.block, {}};
    for (const std::size_t column : columns) launch.values.push_back(row.values[column]);
    return launch;
}

}  // namespace

void launch_once(Device& device, const ProfileJob& job, std::uint64_t seed) {
    HostArrays host(*job.operation, job.problem);
    job.operation->fill(job.problem, seed, host.buffers());
    const NvtxRange range(range_name(*job.operation, *job.rung, job.problem));
    execute(device, *job.operation, *job.rung, job.problem, host.buffers());
}

RecordedRun unrecorded(const ProfileJob& job, std::uint64_t seed) {
    RecordedRun run;
    run.rung = job.rung->name;
    run.size = format_extents(*job.operation, job.problem);
    run.dtype = name_of(job.problem.dtype);
    if (!job.operation->variants.empty()) run.variant = job.operation->variants[job.problem.variant];
    run.seed = seed;
    return run;
}

std::vector<Recording> recordings_of(const NsightTable& table, std::span<const ProfileJob> jobs, std::uint64_t seed,
                                     const ProfiledGpu& gpu, const std::vector<Fact>& provenance) {
    const std::vector<std::size_t> columns = known_columns(table);
    std::vector<Recording> recordings;
    for (const ProfileJob& job : jobs) {
        if (recordings.empty() || recordings.back().operation != job.operation->name) {
            recordings.push_back(
                {provenance, std::string(job.operation->name), gpu.capability, gpu.multiprocessors, {}, {}});
            for (const std::size_t column : columns) recordings.back().metrics.push_back(table.metrics[column]);
        }
        RecordedRun run = unrecorded(job, seed);
        const std::string name = range_name(*job.operation, *job.rung, job.problem);
        for (const NsightRow& row : table.rows)
            if (row.range == name) run.launches.push_back(launch_of(row, columns));
        recordings.back().runs.push_back(std::move(run));
    }
    return recordings;
}

}  // namespace lanework
