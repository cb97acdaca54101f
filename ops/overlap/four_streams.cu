// A queue for every fourth task: kernels that leave multiprocessors free run side by side. One that has a block for
// each of them leaves none, and the next waits as before.
#include "ops/overlap/tasks.cuh"

namespace {
void launch(const OverlapArgs& a, cudaStream_t stream) {
    const auto& streams = *static_cast<TaskStreams*>(a.prepared);
    streams.fork_from(stream);
    for (std::int64_t task = 0; task < a.tasks; ++task) launch_task(a, task, streams[task]);
    streams.join_into(stream);
}
}  // namespace

LANEWORK_RUNG(overlap, four_streams,
              {
                  .climbs_from = "default_stream",
                  .lesson = "Four streams: small kernels run side by side; those that fill the GPU take turns.",
                  .launch = launch,
                  .prepare = make_task_streams,
              });
// mends: default_stream_waits
