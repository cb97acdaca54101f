// What streams do for kernels, blocks do within one: all tasks in one grid need no streams, and are started once.
#include "ops/overlap/tasks.cuh"

namespace {
void launch(const OverlapArgs& a, cudaStream_t stream) {
    const OverlapArgs all{a.in, a.out, 1, a.tasks * a.n, a.prepared};
    launch_task(all, 0, stream);
}
}  // namespace

LANEWORK_RUNG(overlap, one_launch,
              {
                  .climbs_from = "four_streams",
                  .lesson = "One grid for all tasks: side by side without streams, where they are the same kernel.",
                  .launch = launch,
              });
// mends: separate_launches
