// Chooses by the kind of device, and says what neither way can see.
#include "src/timeline/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <lanework/error.hpp>
#include <lanework/execute.hpp>
#include <lanework/registry.hpp>

#include "src/cuda/nvtx_range.hpp"

namespace lanework {

void run_watched(Device& device, const TimelineJob& job,
                 const std::function<void(const std::function<void()>& launch)>& watch) {
    HostArrays host(*job.operation, job.problem);
    job.operation->fill(job.problem, job.seed, host.buffers());
    const NvtxRange range(range_name(*job.operation, *job.rung, job.problem));
    execute(device, *job.operation, *job.rung, job.problem, host.buffers(), watch);
}

namespace {

bool uses_managed_memory(const TimelineJob& job) {
    return std::ranges::any_of(job.operation->buffers(job.problem),
                               [&](const BufferSpec& spec) { return memory_of(spec, *job.rung) == Memory::managed; });
}

Timeline timeline_on(Device& device, const TimelineJob& job, const EngineSpeeds& speeds) {
    switch (device.info().kind) {
        case DeviceKind::cuda: return recorded_timeline(device, job);
        case DeviceKind::simt: return modelled_timeline(device, job, speeds);
        case DeviceKind::cpu: break;
    }
    throw UnavailableError("cpu has no streams to draw: choose --device simt or cuda");
}

}  // namespace

Timeline timeline_of(Device& device, const TimelineJob& job, const EngineSpeeds& speeds) {
    if (const std::string reason = refusal(*job.rung, job.problem); !reason.empty())
        throw UnavailableError(fmt::format("{}/{}: {}", job.operation->name, job.rung->name, reason));
    Timeline timeline = timeline_on(device, job, speeds);
    if (uses_managed_memory(job))
        timeline.notes.emplace_back("Pages of managed memory that move when they are touched are not shown.");
    return timeline;
}

}  // namespace lanework
