// The timeline of a rung on a device: recorded where a clock is, modelled where none is.
#pragma once

#include <lanework/device.hpp>
#include <lanework/operation.hpp>

#include "src/timeline/engine_speeds.hpp"

namespace lanework {

/// What a timeline is wanted of.
struct TimelineJob {
    const Operation* operation;
    const Rung* rung;
    Problem problem;
    std::uint64_t seed = 1;
};

/// On a GPU: launches the rung twice and records the second time, through CUPTI. On simt: launches it once, watched,
/// and computes from the speeds when an engine would have done what. Throws UnavailableError when the rung refuses the
/// problem, the device has no streams (cpu), or nothing here can record it; DeviceError when the launch fails.
Timeline timeline_of(Device& device, const TimelineJob& job, const EngineSpeeds& speeds);

/// One launch of the rung on the simt device.
Timeline modelled_timeline(Device& device, const TimelineJob& job, const EngineSpeeds& speeds);
/// One launch of the rung on a GPU.
Timeline recorded_timeline(Device& device, const TimelineJob& job);

/// Runs the rung on the job's inputs; `watch` is given what launches it and waits for its end, and calls it as often as
/// it likes.
void run_watched(Device& device, const TimelineJob& job,
                 const std::function<void(const std::function<void()>& launch)>& watch);

}  // namespace lanework
