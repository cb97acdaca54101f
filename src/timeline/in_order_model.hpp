// The model behind timelines without a GPU: streams are queues, and each engine serves one task at a time.
#pragma once

#include "src/timeline/engine_speeds.hpp"
#include "src/timeline/stream_program.hpp"

namespace lanework {

/// When each task would run, in their order and as a timeline. An engine takes what has been ready longest; a task is
/// ready when the host has handed it over and everything that it comes after is done. Kernels run side by side as far
/// as their blocks leave multiprocessors free; one with a block for each of these fills the GPU, and so do fills and
/// copies within the device. Where the host waits, its next call comes later.
std::vector<Interval> model_times(const StreamWork& work, const EngineSpeeds& speeds);
/// From the first begin to the last end of such times, in seconds.
double length_s(const std::vector<Interval>& times);
Timeline model_timeline(const StreamWork& work, const EngineSpeeds& speeds);
inline Timeline model_timeline(const StreamProgram& program, const EngineSpeeds& speeds) {
    return model_timeline(program.work(), speeds);
}

}  // namespace lanework
