// An estimate of the time that a traced rung takes on a GPU that is not here: a range, from published figures of the
// GPU and the counts of the trace. It ranks and explains; it is not a measurement.
#pragma once

#include <array>
#include <lanework/measurement.hpp>
#include <string_view>

#include "src/gpu/gpus.hpp"
#include "src/trace/analyse/explanation.hpp"

namespace lanework {

/// What a kernel can wait for.
enum class Bottleneck : std::uint8_t {
    memory,         ///< device memory's bandwidth
    l2,             ///< the way between SMs and L2
    l1,             ///< requests of global memory at each SM: lines per request
    shared_memory,  ///< wavefronts
    compute,        ///< arithmetic and the instructions around it
    atomics,        ///< lanes that wait for each other at one address
    latency,        ///< round trips that too few warps overlap
    launch,         ///< starting the kernels
};
inline constexpr std::size_t kBottlenecks = static_cast<std::size_t>(Bottleneck::launch) + 1;
/// "memory", "L2", "L1", "shared memory", "compute", "atomics", "latency", "launch".
std::string_view name_of(Bottleneck bottleneck);

/// Where the work lies below the GPU's roof.
struct Roofline {
    /// Operations per byte: of the algorithm, and of the sectors that the launches touch. 0 without operations.
    double intensity = 0, traced_intensity = 0;
    /// Operations per byte above which the GPU computes longer than it moves.
    double ridge = 0;
    /// Operations and bytes per second at most.
    double peak_flops = 0, bandwidth = 0;

    /// Operations per second that the roof allows at an intensity.
    double attainable(double at) const { return at < ridge ? at * bandwidth : peak_flops; }
};

struct Estimate {
    /// Caches are cold. No GPU of this kind can be faster than `low_s`: each byte moved once at the published
    /// bandwidth, each operation at the published rate. `high_s` takes all traced traffic with nothing overlapped.
    double low_s = 0, high_s = 0;
    /// What takes longest of what `high_s` adds up.
    Bottleneck bound = Bottleneck::memory;
    /// The parts of `high_s`, in the order of Bottleneck.
    std::array<double, kBottlenecks> parts_s{};
    Roofline roofline;

    double part(Bottleneck bottleneck) const { return parts_s[static_cast<std::size_t>(bottleneck)]; }
    /// Whether a measured time is within the range.
    bool covers(double seconds) const { return low_s <= seconds && seconds <= high_s; }
};

/// The least time that the work needs at the GPU's published bandwidth and rate.
Limit roofline_limit(const Work& work, DType dtype, const Gpu& gpu);

Estimate estimate(const Explanation& explanation, const Gpu& gpu);

}  // namespace lanework
