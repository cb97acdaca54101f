// The usual promise: atomic for all threads of this device, whichever blocks they are in. The second-level cache, which
// all processors share, does the arithmetic; calls on one cell queue up there.
#include "ops/atomics/grid.hpp"

namespace {
template <class T>
void launch(const AtomicsArgs<T>& a, cudaStream_t stream) {
    launch_grid<DeviceScope>(a, stream);
}
}  // namespace

LANEWORK_RUNG(atomics, device_scope,
              {
                  .climbs_from = "system_scope",
                  .lesson = "An atomic function reads, changes and writes as one step for every thread of the device.",
                  .launch = {launch<std::int32_t>, launch<std::uint32_t>, launch<std::uint64_t>, launch<float>,
                             launch<double>, launch<std::int64_t>, launch<std::uint16_t>, launch<float16>,
                             launch<bfloat16>},
                  .workspace = {olds_bytes<std::int32_t>, olds_bytes<std::uint32_t>, olds_bytes<std::uint64_t>,
                                olds_bytes<float>, olds_bytes<double>, olds_bytes<std::int64_t>,
                                olds_bytes<std::uint16_t>, olds_bytes<float16>, olds_bytes<bfloat16>},
                  .refuses = refuse_call,
              });
