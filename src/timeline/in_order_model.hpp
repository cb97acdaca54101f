// The model behind timelines without a GPU: streams are queues, and each engine serves one task at a time.
#pragma once

#include "src/timeline/engine_speeds.hpp"
#include "src/timeline/stream_program.hpp"

namespace lanework {

/// When each task would run. An engine takes what has been ready longest; a task is ready when the host has handed it
/// over and everything that it comes after is done. Kernels, fills and copies within the device take turns, for each
/// is taken to fill the GPU. Where the host waits, its next call comes later.
Timeline model_timeline(const StreamProgram& program, const EngineSpeeds& speeds);

}  // namespace lanework
