// Four streams, and every other task goes to the default stream, as a launch does that names none. That one waits for
// all streams, and all wait for it: nothing runs beside anything.
#include "ops/overlap/tasks.cuh"

namespace {
void launch(const OverlapArgs& a, cudaStream_t stream) {
    const auto& streams = *static_cast<TaskStreams*>(a.prepared);
    streams.fork_from(stream);
    for (std::int64_t task = 0; task < a.tasks; ++task)
        launch_task(a, task, task % 2 == 0 ? streams[task / 2] : cudaStreamLegacy);
    streams.join_default_into(stream);  // which waits for all of them
}
}  // namespace

LANEWORK_RUNG(overlap, default_stream,
              {
                  .climbs_from = "one_stream",
                  .lesson = "A launch that names no stream waits for all of them, and they for it: streams in vain.",
                  .launch = launch,
                  .prepare = make_task_streams,
              });
