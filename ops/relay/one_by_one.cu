// Launches queue up in the stream. While the device works on one the host prepares the next; whichever of the two takes
// longer sets the pace.
#include "ops/relay/step.cuh"

namespace {
void launch(const RelayArgs& a, cudaStream_t stream) {
    launch_steps(a, stream, [] {});
}
}  // namespace

LANEWORK_RUNG(relay, one_by_one,
              {
                  .climbs_from = "waited",
                  .lesson = "A stream keeps the order by itself: the host launches ahead and waits once, at the end.",
                  .launch = launch,
              });
// mends: separate_launches
