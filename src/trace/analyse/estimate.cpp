// The model behind estimates. Traffic and work come from the trace; the constants below are the model's own: what
// published figures do not say, chosen so that the times of results/h200 lie in the range.
#include "src/trace/analyse/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "src/trace/analyse/metrics.hpp"

namespace lanework {
namespace {

constexpr double kSector = 32;  // bytes

// Shares of the published peak that a plain kernel reaches.
constexpr double kMemoryReach = 0.85;
constexpr double kComputeReach = 0.45;
// Bytes that an SM and L2 exchange per clock: the port is 64 wide; all SMs at once get this much.
constexpr double kL2BytesPerClock = 24;
// Instructions that a warp issues for each basic block that it enters, and warps that an SM issues from per clock.
constexpr double kInstructionsPerBlock = 4;
constexpr double kIssuesPerClock = 4;
// Round trips under load, in clocks.
constexpr double kMemoryLatency = 1500, kL2Latency = 500, kL1Latency = 40;
// Starting a kernel and seeing its end.
constexpr double kLaunchSeconds = 6e-6;
// A sector that is written in part is read first and may be written as often as it is touched.
constexpr double kPartialWrite = 2;

double to_double(std::uint64_t count) { return static_cast<double>(count); }

GlobalCounters all_global(const KernelCounters& counters) {
    GlobalCounters all = counters.global_loads;
    all.add(counters.global_stores);
    all.add(counters.global_atomics);
    all.add(counters.global_reductions);
    return all;
}

/// One launch on one GPU.
class LaunchModel {
public:
    LaunchModel(const Explanation& explanation, const KernelTrace& launch, const Gpu& gpu)
        : gpu_(gpu), inputs_(metric_inputs(explanation, launch, gpu.limits())), all_(all_global(inputs_.counters)) {
        if (!inputs_.resources) inputs_.resources = resources_of(inputs_.shape, 0);
    }

    double footprint() const { return to_double(inputs_.footprint_read + inputs_.footprint_written); }

    // L2 keeps what fits in half of it; beyond that every block brings its own copy.
    double memory_seconds() const {
        const double bytes = footprint() <= to_double(gpu_.l2_bytes) / 2 ? footprint() : traffic_without_l2();
        return bytes / (kMemoryReach * gpu_.memory_bandwidth);
    }
    double l2_seconds() const { return sm_seconds(l2_sectors() * kSector / kL2BytesPerClock); }
    double l1_seconds() const { return sm_seconds(to_double(all_.lines)); }
    double shared_seconds() const {
        const KernelCounters& c = inputs_.counters;
        return sm_seconds(
            to_double(c.shared_loads.wavefronts + c.shared_stores.wavefronts + c.shared_atomics.wavefronts));
    }
    double instruction_seconds() const {
        return sm_seconds(to_double(inputs_.counters.branch.entries) * kInstructionsPerBlock / kIssuesPerClock);
    }
    // Lanes of one request that name the same address follow each other, and so do requests of that address.
    double atomic_seconds() const {
        double lanes = 0;
        for (const GlobalCounters* counters : {&inputs_.counters.global_atomics, &inputs_.counters.global_reductions})
            if (counters->most_lanes_per_address > 1) lanes += to_double(counters->lanes);
        return lanes / gpu_.clock_hz;
    }
    // Each load waits for its data; the warps of an SM wait side by side.
    double latency_seconds() const {
        const GlobalCounters& loads = inputs_.counters.global_loads;
        const double requests = to_double(loads.requests + inputs_.counters.global_atomics.requests);
        if (requests == 0) return 0;
        return sm_seconds(requests * load_latency() / resident_warps());
    }

private:
    // Clocks of all SMs together → seconds of the SM that has most of the blocks.
    double sm_seconds(double clocks) const {
        const double blocks = std::max(1.0, to_double(inputs_.shape.blocks()));
        const double most = std::ceil(blocks / gpu_.sms) / blocks;
        return clocks * most / gpu_.clock_hz;
    }

    double loaded_sectors() const {
        const GlobalCounters& loads = inputs_.counters.global_loads;
        return to_double(loads.sectors - loads.repeated_sectors);
    }
    double l2_sectors() const {
        return loaded_sectors() + to_double(all_.sectors - inputs_.counters.global_loads.sectors);
    }
    double traffic_without_l2() const {
        const GlobalCounters& stores = inputs_.counters.global_stores;
        const bool partial = to_double(stores.bytes) < kSector * to_double(stores.sectors);
        const double stored = kSector * to_double(stores.sectors) * (partial ? kPartialWrite : 1);
        return std::max(footprint(), loaded_sectors() * kSector + stored);
    }

    // Clocks that a load waits on average: what nobody loaded before comes from memory, what the block loaded before
    // from L1, the rest from L2.
    double load_latency() const {
        const double sectors = std::max(1.0, to_double(inputs_.counters.global_loads.sectors));
        const double first = std::min(1.0, to_double(inputs_.footprint_read) / kSector / sectors);
        const double repeated = std::min(1 - first, (sectors - loaded_sectors()) / sectors);
        return first * kMemoryLatency + repeated * kL1Latency + (1 - first - repeated) * kL2Latency;
    }
    double resident_warps() const {
        const Occupancy most = occupancy(gpu_.limits(), *inputs_.resources);
        const double blocks = std::ceil(to_double(inputs_.shape.blocks()) / gpu_.sms);
        return std::max(1.0, std::min(blocks, static_cast<double>(most.blocks)) * most.warps_per_block);
    }

    const Gpu& gpu_;
    MetricInputs inputs_;
    GlobalCounters all_;
};

Roofline roofline_of(const Explanation& explanation, const Gpu& gpu) {
    double traced = 0;
    for (const KernelTrace& launch : explanation.kernels)
        traced += to_double(launch.footprint_read + launch.footprint_written);
    const auto flops = to_double(explanation.work.flops), bytes = to_double(explanation.work.bytes());
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
                    to_double(work.flops) / roofline.peak_flops);
}

}  // namespace

std::string_view name_of(Bottleneck bottleneck) {
    constexpr std::string_view names[] = {"memory",  "L2",      "L1",      "shared memory",
                                          "compute", "atomics", "latency", "launch"};
    return names[static_cast<std::size_t>(bottleneck)];
}

Limit roofline_limit(const Work& work, DType dtype, const Gpu& gpu) {
    const double moving = static_cast<double>(work.bytes()) / gpu.memory_bandwidth;
    const double computing = static_cast<double>(work.flops) / gpu.peak_flops(dtype);
    return moving < computing ? Limit{Bound::compute, computing} : Limit{Bound::memory, moving};
}

Estimate estimate(const Explanation& explanation, const Gpu& gpu) {
    Estimate result;
    result.roofline = roofline_of(explanation, gpu);
    const auto add = [&](Bottleneck bottleneck, double seconds) {
        result.parts_s[static_cast<std::size_t>(bottleneck)] += seconds;
    };
    add(Bottleneck::compute, to_double(explanation.work.flops) / (kComputeReach * result.roofline.peak_flops));
    for (const KernelTrace& launch : explanation.kernels) {
        const LaunchModel model(explanation, launch, gpu);
        add(Bottleneck::memory, model.memory_seconds());
        add(Bottleneck::l2, model.l2_seconds());
        add(Bottleneck::l1, model.l1_seconds());
        add(Bottleneck::shared_memory, model.shared_seconds());
        add(Bottleneck::compute, model.instruction_seconds());
        add(Bottleneck::atomics, model.atomic_seconds());
        add(Bottleneck::latency, model.latency_seconds());
        add(Bottleneck::launch, kLaunchSeconds);
    }
    const auto longest = std::ranges::max_element(result.parts_s);
    result.bound = static_cast<Bottleneck>(longest - result.parts_s.begin());
    result.low_s = least_seconds(explanation.work, result.roofline, gpu);
    result.high_s = std::max(result.low_s, std::accumulate(result.parts_s.begin(), result.parts_s.end(), 0.0));
    return result;
}

}  // namespace lanework
