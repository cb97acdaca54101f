// With four streams the next upload is always ready to start: none waits until an older chunk has left its slot.
#include "ops/pipeline/lanes.cuh"

namespace {
void launch(const PipelineArgs& a, cudaStream_t stream) {
    run_depth_first(a, *static_cast<Lanes<4>*>(a.prepared), stream);
}
}  // namespace

LANEWORK_RUNG(pipeline, four_streams,
              {
                  .climbs_from = "two_streams_breadth_first",
                  .lesson = "Four streams keep the upload engine supplied: it never waits for a chunk to drain.",
                  .launch = launch,
                  .workspace = lane_workspace<4>,
                  .prepare = make_lanes<4>,
              });
