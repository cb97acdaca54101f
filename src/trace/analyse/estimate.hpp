// An estimate of the time that a traced rung takes on a GPU that is not here, by the model of time. It ranks and
// explains; it is not a measurement.
#pragma once

#include <array>
#include <lanework/measurement.hpp>
#include <vector>

#include "src/gpu/gpus.hpp"
#include "src/trace/analyse/explanation.hpp"
#include "src/trace/analyse/time_model.hpp"

namespace lanework {

/// Where the work lies below the GPU's roof.
struct Roofline {
    /// Operations per byte of the problem that is timed: of the algorithm, and of the sectors that the launches touch.
    /// 0 without operations.
    double intensity = 0, traced_intensity = 0;
    /// Operations per byte above which the GPU computes longer than it moves.
    double ridge = 0;
    /// Operations and bytes per second at most.
    double peak_flops = 0, bandwidth = 0;

    /// Operations per second that the roof allows at an intensity.
    double attainable(double at) const { return at < ridge ? at * bandwidth : peak_flops; }
};

/// A time with the band that nine of ten measured times lie in where the machine code was followed; as written four of
/// five, of larger problems than the one that was traced seven of ten (docs/explain-times.md,
/// results/h200/slice-times.json, results/h100/program-times.json).
struct Estimate {
    /// Caches are cold.
    double time_s = 0;
    double low_s = 0, high_s = 0;
    /// Of these the wait for pages of managed memory that nobody sent ahead; the rest is the kernels' own.
    double page_faults_s = 0;
    /// No GPU of this kind can be faster: each byte moved once at the published bandwidth, each operation at the
    /// published rate.
    double least_s = 0;
    /// What takes longest of the kernels' own time.
    Bottleneck bound = Bottleneck::memory;
    /// What each part would take by itself, in the order of Bottleneck. They overlap.
    std::array<double, kBottlenecks> parts_s{};
    Roofline roofline;
    /// The instructions were those of machine code, for every launch.
    bool of_machine_code = false;
    /// It is for a larger problem than the one that was traced.
    bool stretched = false;
    /// "10000x10000": that problem's; empty where it is the one that was traced.
    std::string size;
    /// By launch.
    std::vector<Demand> demands;

    double part(Bottleneck bottleneck) const { return parts_s[static_cast<std::size_t>(bottleneck)]; }
    double kernels_s() const { return time_s - page_faults_s; }
    /// What takes longest, the wait for pages among it: "page faults", or the name of `bound`.
    std::string_view bound_name() const;
    /// Whether a measured time is within the band.
    bool covers(double seconds) const { return low_s <= seconds && seconds <= high_s; }
};

/// What bounds a launch that waits longest for pages of managed memory.
inline constexpr std::string_view kPageFaults = "page faults";

/// The band's ends: the time divided and multiplied by it. `stretched`: of a larger problem than was traced.
double band_of(bool of_machine_code, bool stretched);

/// The least time that the work needs at the GPU's published bandwidth and rate.
Limit roofline_limit(const Work& work, DType dtype, const Gpu& gpu);

Estimate estimate(const Explanation& explanation, const Gpu& gpu);

}  // namespace lanework
