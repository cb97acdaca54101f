// Chunks by turns in two streams: while one computes and downloads, the other uploads. The link carries both directions
// at once, and the slower direction sets the time.
#include "ops/pipeline/lanes.cuh"

namespace {
void launch(const PipelineArgs& a, cudaStream_t stream) {
    run_depth_first(a, *static_cast<Lanes<2>*>(a.prepared), stream);
}
}  // namespace

LANEWORK_RUNG(pipeline, two_streams_depth_first,
              {
                  .climbs_from = "one_stream",
                  .lesson = "Two streams: one chunk uploads while another computes and downloads.",
                  .launch = launch,
                  .workspace = lane_workspace<2>,
                  .prepare = make_lanes<2>,
              });
// mends: serialised_work
