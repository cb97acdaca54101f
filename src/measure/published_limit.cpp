// Datasheets as limits. Of memory, the last cache can hold back as much as it is large: it answers reads from what is
// left in it, and keeps writes.
#include "src/measure/published_limit.hpp"

#include <algorithm>

#include "src/gpu/gpus.hpp"

namespace lanework {
namespace {

constexpr double kBeyondBoost = 1.25;  // cards run above the boost clock that is published, if cool enough

double share(std::uint64_t amount, double per_second) {
    return per_second > 0 ? static_cast<double>(amount) / per_second : 0;
}

double least_seconds(const Gpu& gpu, const Work& work, DType dtype, Bound bound) {
    const std::uint64_t moved = work.bytes_read + work.bytes_written;
    switch (bound) {
        case Bound::compute: return share(work.flops, kBeyondBoost * gpu.peak_flops(dtype));
        case Bound::memory: return share(moved - std::min(moved, gpu.l2_bytes), gpu.memory_bandwidth);
        case Bound::link: return share(std::max(work.bytes_uploaded, work.bytes_downloaded), gpu.link_bandwidth);
    }
    return 0;
}

}  // namespace

double published_limit(const DeviceInfo& device, const Work& work, DType dtype, const Limit& limit) {
    // simt is named for the GPU that it stands for, and runs on the processor.
    const Gpu* const gpu = device.kind == DeviceKind::simt ? nullptr : find_gpu(device.name);
    return gpu ? least_seconds(*gpu, work, dtype, limit.bound) : 0;
}

}  // namespace lanework
