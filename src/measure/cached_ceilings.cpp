// Looking up ceilings without measuring any.
#include "src/measure/ceiling_cache.hpp"

namespace lanework {

std::optional<Ceilings> cached_ceilings(const DeviceInfo& device) {
    // simt's kernels run on the processor: its ceilings are the cpu's.
    if (device.kind == DeviceKind::simt) return cached_ceilings(open_device("cpu")->info());
    return load_ceilings(ceiling_cache_file(), device.fingerprint);
}

}  // namespace lanework
