// A stream is a queue: each kernel begins when the one before has ended, however much of the GPU that left free.
#include "ops/overlap/tasks.cuh"

namespace {
void launch(const OverlapArgs& a, cudaStream_t stream) {
    for (std::int64_t task = 0; task < a.tasks; ++task) launch_task(a, task, stream);
}
}  // namespace

LANEWORK_RUNG(overlap, one_stream,
              {
                  .lesson = "One stream is one queue: kernels that need nothing of each other take turns.",
                  .launch = launch,
              });
