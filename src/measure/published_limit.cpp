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

// Of products of matrices, by whichever units are faster.
double peak(const Gpu& gpu, DType dtype, Arithmetic arithmetic) {
    const double plain = gpu.peak_flops(dtype);
    if (arithmetic == Arithmetic::any) return plain;
    const double pieces = dtype == DType::float32 ? gpu.peak_matrix_flops(DType::bfloat16) / kPieceProducts : 0;
    return std::max({plain, pieces, gpu.peak_matrix_flops(dtype)});
}

double least_seconds(const Gpu& gpu, const Work& work, DType dtype, Bound bound, Arithmetic arithmetic) {
    const std::uint64_t moved = work.bytes_read + work.bytes_written;
    switch (bound) {
        case Bound::compute: return share(work.arithmetic(), kBeyondBoost * peak(gpu, dtype, arithmetic));
        case Bound::memory: return share(moved - std::min(moved, gpu.l2_bytes), gpu.memory_bandwidth);
        case Bound::link: return share(std::max(work.bytes_uploaded, work.bytes_downloaded), gpu.link_bandwidth);
    }
    return 0;
}

}  // namespace

double published_limit(const DeviceInfo& device, const Work& work, DType dtype, const Limit& limit,
                       Arithmetic arithmetic) {
    // simt is named for the GPU that it stands for, and runs on the processor.
    const Gpu* const gpu = device.kind == DeviceKind::simt ? nullptr : find_gpu(device.name);
    return gpu ? least_seconds(*gpu, work, dtype, limit.bound, arithmetic) : 0;
}

}  // namespace lanework
