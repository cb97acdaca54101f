// From the model's time to the estimate: its band, its place under the roof, and never less than the work needs.
#include "src/trace/analyse/estimate.hpp"

#include <algorithm>

#include "src/gpu/page_faults.hpp"

namespace lanework {
namespace {

double to_double(std::uint64_t count) { return static_cast<double>(count); }

Roofline roofline_of(const Explanation& explanation, const Gpu& gpu) {
    double traced = 0;
    for (const KernelTrace& launch : explanation.kernels)
        traced += to_double(launch.footprint_read + launch.footprint_written);
    // A larger problem touches as much more than its algorithm has to as the slice that was traced.
    const Work work = explanation.timed.value_or(explanation.work);
    const auto flops = to_double(work.flops), bytes = to_double(work.bytes());
    if (explanation.work.bytes() > 0) traced *= bytes / to_double(explanation.work.bytes());
    Roofline roofline;
    roofline.peak_flops = gpu.peak_flops(explanation.problem.dtype);
    roofline.bandwidth = gpu.memory_bandwidth;
    roofline.ridge = roofline.peak_flops / roofline.bandwidth;
    roofline.intensity = bytes > 0 ? flops / bytes : 0;
    roofline.traced_intensity = traced > 0 ? flops / traced : 0;
    return roofline;
}

// What was written may still lie in L2 at the end.
double least_seconds(const Work& work, const Roofline& roofline, const Gpu& gpu) {
    const double written = std::max(0.0, to_double(work.bytes_written) - to_double(gpu.l2_bytes));
    return std::max((to_double(work.bytes_read) + written) / roofline.bandwidth,
                    to_double(work.arithmetic()) / roofline.peak_flops);
}

}  // namespace

double band_of(bool of_machine_code, bool stretched) {
    // 90% of an H100's times of kernels that nobody here wrote are within 1.44 and 1.39
    // (results/h100/program-times.json, both halves), and of our ladders' times within 1.33, an H200's
    // (docs/explain-times.md).
    constexpr double kFollowed = 1.45, kElse = 2;
    return of_machine_code && !stretched ? kFollowed : kElse;
}

Limit roofline_limit(const Work& work, DType dtype, const Gpu& gpu) {
    const double moving = static_cast<double>(work.bytes()) / gpu.memory_bandwidth;
    const double computing = static_cast<double>(work.arithmetic()) / gpu.peak_flops(dtype);
    return moving < computing ? Limit{Bound::compute, computing} : Limit{Bound::memory, moving};
}

Estimate estimate(const Explanation& explanation, const Gpu& gpu) {
    Estimate result;
    result.roofline = roofline_of(explanation, gpu);
    result.demands = demands_of(explanation, gpu);
    result.of_machine_code = std::ranges::all_of(
        explanation.kernels, [](const KernelTrace& launch) { return launch.machine && launch.machine->known(); });
    const ModelledTime modelled = time_of(result.demands, gpu);
    result.parts_s = modelled.parts_s;
    result.bound = modelled.bound();
    result.stretched = explanation.timed.has_value();
    result.size = explanation.timed_size;
    result.least_s = least_seconds(explanation.timed.value_or(explanation.work), result.roofline, gpu);
    for (const Demand& demand : result.demands) result.page_faults_s += page_fault_seconds(demand.faulted);
    const double kernels = std::max(result.least_s, modelled.seconds);
    const double band = band_of(result.of_machine_code, result.stretched);
    constexpr double kBandOfFaults = 1.6;
    result.time_s = kernels + result.page_faults_s;
    result.low_s = std::max(result.least_s, kernels / band) + result.page_faults_s / kBandOfFaults;
    result.high_s = kernels * band + result.page_faults_s * kBandOfFaults;
    return result;
}

std::string_view Estimate::bound_name() const { return page_faults_s > kernels_s() ? kPageFaults : name_of(bound); }

}  // namespace lanework
