// The same launches, recorded once as a graph: hundreds of calls become one, and the driver knows all of the work and
// what depends on what before any of it starts.
#include "ops/pipeline/lanes.cuh"

namespace {
using FourLanes = Lanes<4>;

/// The graph of one set of arrays, and the streams that it was recorded from.
class Recorded final : public Prepared {
public:
    explicit Recorded(const PipelineArgs& a) {
        LANEWORK_CHECK(cudaStreamBeginCapture(origin_.get(), cudaStreamCaptureModeThreadLocal));
        run_depth_first(a, lanes_, origin_.get());
        cudaGraph_t graph = nullptr;
        LANEWORK_CHECK(cudaStreamEndCapture(origin_.get(), &graph));
        const cudaError_t instantiated = cudaGraphInstantiate(&executable_, graph, 0);
        cudaGraphDestroy(graph);
        LANEWORK_CHECK(instantiated);
    }
    ~Recorded() override { cudaGraphExecDestroy(executable_); }

    void launch(cudaStream_t stream) const { LANEWORK_CHECK(cudaGraphLaunch(executable_, stream)); }

private:
    Stream origin_;
    FourLanes lanes_;
    cudaGraphExec_t executable_ = nullptr;
};

std::unique_ptr<Prepared> prepare(const PipelineArgs& a, cudaStream_t) {
    return a.n > 0 ? std::make_unique<Recorded>(a) : nullptr;
}

void launch(const PipelineArgs& a, cudaStream_t stream) {
    if (a.n > 0) static_cast<Recorded*>(a.prepared)->launch(stream);
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
