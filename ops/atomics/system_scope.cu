// The widest promise: no other device and no processor thread comes between a call's reading and its writing either. In
// the device's own memory, which nobody else touches meanwhile, the promise is more than is needed.
#include "ops/atomics/grid.hpp"

namespace {
template <class T>
void launch(const AtomicsArgs<T>& a, cudaStream_t stream) {
    launch_grid<SystemScope>(a, stream);
}
}  // namespace

LANEWORK_RUNG(atomics, system_scope,
              {
                  .climbs_from = "double_add_by_cas",
                  .lesson = "The _system functions are atomic for the host and other devices too.",
                  .launch = {launch<std::int32_t>, launch<std::uint32_t>, launch<std::uint64_t>, launch<float>,
                             launch<double>, launch<std::int64_t>},
                  .workspace = {olds_bytes<std::int32_t>, olds_bytes<std::uint32_t>, olds_bytes<std::uint64_t>,
                                olds_bytes<float>, olds_bytes<double>, olds_bytes<std::int64_t>},
                  .refuses = refuse_call,
              });
// mends: contended_atomics
