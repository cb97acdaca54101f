// The host waits for every step before it launches the next: each pays for the way to the device and back.
#include "ops/relay/step.cuh"

namespace {
void launch(const RelayArgs& a, cudaStream_t stream) {
    launch_steps(a, stream, [=] { LANEWORK_CHECK(cudaStreamSynchronize(stream)); });
}
}  // namespace

LANEWORK_RUNG(relay, waited,
              {
                  .lesson = "Waiting after every launch leaves the device idle while the host wakes up and launches.",
                  .launch = launch,
              });
