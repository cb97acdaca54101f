// The same launches, recorded once as a graph: hundreds of calls become one, and the driver knows all of the work and
// what depends on what before any of it starts.
#include "ops/pipeline/lanes.cuh"
#include "src/cuda/graph.hpp"

namespace {
using FourLanes = Lanes<4>;

/// The graph of one set of arrays, and the streams that it was recorded from.
struct Recorded final : Prepared {
    explicit Recorded(const PipelineArgs& a)
        : graph([this, &a](cudaStream_t origin) { run_depth_first(a, lanes, origin); }) {}
    FourLanes lanes;
    CapturedGraph graph;
};

PreparedOwner prepare(const PipelineArgs& a, cudaStream_t) {
    return PreparedOwner(a.n > 0 ? new Recorded(a) : nullptr);
}

void launch(const PipelineArgs& a, cudaStream_t stream) {
    if (a.n > 0) static_cast<Recorded*>(a.prepared)->graph.launch(stream);
}

std::string_view refuses(const Problem& p) {
    return static_cast<HostArraysIn>(p.variant) == HostArraysIn::pinned
               ? std::string_view()
               : "copies of pageable memory need the host's thread, which a graph runs without";
}
}  // namespace

LANEWORK_RUNG(pipeline, graph,
              {
                  .climbs_from = "four_streams",
                  .lesson = "Recorded once, launched as one: a graph pays for its hundreds of calls only once.",
                  .launch = launch,
                  .workspace = lane_workspace<FourLanes::kCount>,
                  .prepare = prepare,
                  .refuses = refuses,
              });
