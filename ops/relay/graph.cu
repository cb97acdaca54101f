// The same launches, recorded once as a graph: the host's part is paid when it is recorded, and the device goes from
// node to node without asking it.
#include "ops/relay/step.cuh"
#include "src/cuda/stream.hpp"

namespace {
/// The graph of one set of arrays.
class Recorded final : public Prepared {
public:
    explicit Recorded(const RelayArgs& a) {
        const Stream origin;
        LANEWORK_CHECK(cudaStreamBeginCapture(origin.get(), cudaStreamCaptureModeThreadLocal));
        launch_steps(a, origin.get(), [] {});
        cudaGraph_t graph = nullptr;
        LANEWORK_CHECK(cudaStreamEndCapture(origin.get(), &graph));
        const cudaError_t instantiated = cudaGraphInstantiate(&executable_, graph, 0);
        cudaGraphDestroy(graph);
        LANEWORK_CHECK(instantiated);
    }
    ~Recorded() override { cudaGraphExecDestroy(executable_); }

    void launch(cudaStream_t stream) const { LANEWORK_CHECK(cudaGraphLaunch(executable_, stream)); }

private:
    cudaGraphExec_t executable_ = nullptr;
};

std::unique_ptr<Prepared> prepare(const RelayArgs& a, cudaStream_t) {
    return a.words > 0 ? std::make_unique<Recorded>(a) : nullptr;
}

void launch(const RelayArgs& a, cudaStream_t stream) {
    if (a.words > 0) static_cast<Recorded*>(a.prepared)->launch(stream);
}
}  // namespace

LANEWORK_RUNG(relay, graph,
              {
                  .climbs_from = "one_by_one",
                  .lesson = "A recorded graph is launched as one: the host prepares its kernels once, not every time.",
                  .launch = launch,
                  .prepare = prepare,
              });
