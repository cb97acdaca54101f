// Two chunks at a time, stage by stage: both uploads, both kernels, both downloads. A device with one queue for all of
// its engines needs this order; one with a queue for each does not care.
#include "ops/pipeline/lanes.cuh"

namespace {
void launch(const PipelineArgs& a, cudaStream_t stream) {
    const auto& lanes = *static_cast<Lanes<2>*>(a.prepared);
    const Chunks chunks(a.n);
    lanes.fork_from(stream);
    for (std::int64_t pair = 0; pair < chunks.count(); pair += 2)
        for (const auto stage : {upload, compute, download})
            for (std::int64_t i = pair; i < std::min(pair + 2, chunks.count()); ++i)
                stage(a, chunks[i], slot_at(a, i % 2), lanes[i]);
    lanes.join_into(stream);
}
}  // namespace

LANEWORK_RUNG(pipeline, two_streams_breadth_first,
              {
                  .climbs_from = "two_streams_depth_first",
                  .lesson = "Stage by stage over two streams: the order that a single hardware queue would need.",
                  .launch = launch,
                  .workspace = lane_workspace<2>,
                  .prepare = make_lanes<2>,
              });
