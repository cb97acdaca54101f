// The driver's own device-to-device copy.
#include "ops/copy/operation.hpp"

namespace {
void launch(const CopyArgs& a, cudaStream_t stream) {
    // A refusal stays in the runtime's error state, where the harness looks after every launch.
    static_cast<void>(cudaMemcpyAsync(a.out, a.in, static_cast<std::size_t>(a.words) * sizeof(*a.in),
                                      cudaMemcpyDeviceToDevice, stream));
}
}  // namespace

LANEWORK_RUNG(copy, driver,
              {
                  .lesson = "cudaMemcpyAsync, device to device.",
                  .launch = launch,
              });
