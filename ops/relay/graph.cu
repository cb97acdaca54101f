// The same launches, recorded once as a graph: the host's part is paid when it is recorded, and the device goes from
// node to node without asking it.
#include "ops/relay/step.cuh"
#include "src/cuda/graph.hpp"

namespace {
/// The graph of one set of arrays.
struct Recorded final : Prepared {
    explicit Recorded(const RelayArgs& a) : graph([&a](cudaStream_t origin) { launch_steps(a, origin, [] {}); }) {}
    CapturedGraph graph;
};

PreparedOwner prepare(const RelayArgs& a, cudaStream_t) {
    return PreparedOwner(a.words > 0 ? new Recorded(a) : nullptr);
}

void launch(const RelayArgs& a, cudaStream_t stream) {
    if (a.words > 0) static_cast<Recorded*>(a.prepared)->graph.launch(stream);
}
}  // namespace

LANEWORK_RUNG(relay, graph,
              {
                  .climbs_from = "one_by_one",
                  .lesson = "A recorded graph is launched as one: the host prepares its kernels once, not every time.",
                  .launch = launch,
                  .prepare = prepare,
              });
// mends: separate_launches
