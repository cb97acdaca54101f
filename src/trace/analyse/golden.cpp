// Choosing what is recorded, and comparing it with what was traced.
#include "src/trace/analyse/golden.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <lanework/registry.hpp>

#include "src/trace/analyse/demand.hpp"

namespace lanework {
namespace {

constexpr std::size_t kShapes = 3;
// The most bytes or operations of a problem that is recorded: tracing it takes well below a second.
constexpr std::uint64_t kMostWork = std::uint64_t{1} << 23;
// Nsight Compute prints two decimals.
constexpr double kPrinted = 0.005 + 1e-9;

std::uint64_t size_of_work(const Operation& operation, const Extents& shape) {
    const Work work = operation.work({.extent = shape, .dtype = operation.default_dtype()});
    return std::max(work.bytes(), work.flops);
}

// The largest first.
std::vector<Extents> golden_shapes(const Operation& operation) {
    std::vector<Extents> shapes;
    for (const Extents& shape : operation.verified) {
        const std::uint64_t work = size_of_work(operation, shape);
        if (work > 0 && work <= kMostWork) shapes.push_back(shape);
    }
    std::ranges::stable_sort(shapes, std::greater(),
                             [&](const Extents& shape) { return size_of_work(operation, shape); });
    shapes.resize(std::min(shapes.size(), kShapes));
    return shapes;
}

// Occupancy is compared for the registers that the hardware's kernel has: another compiler may give ours others.
void take_registers(MetricInputs& inputs, const Recording& recording, const RecordedLaunch& launch) {
    if (const auto registers = recording.value(launch, kRegistersMetric))
        inputs.resources = resources_of(inputs.shape, static_cast<int>(*registers));
}

}  // namespace

std::optional<double> Recording::value(const RecordedLaunch& launch, std::string_view metric) const {
    const auto index = static_cast<std::size_t>(std::ranges::find(metrics, metric) - metrics.begin());
    return index < launch.values.size() ? launch.values[index] : std::nullopt;
}

const Gpu& gpu_like(int capability, int multiprocessors) {
    const Gpu* best = nullptr;
    for (const Gpu& gpu : gpus()) {
        if (gpu.capability != capability) continue;
        if (gpu.sms == multiprocessors) return gpu;
        if (!best) best = &gpu;
    }
    return best ? *best : gpus().front();
}

std::vector<Problem> golden_problems(const Operation& operation) {
    std::vector<Problem> problems;
    const std::vector<Extents> shapes = golden_shapes(operation);
    if (shapes.empty()) return problems;
    const Extents& middle = shapes[shapes.size() / 2];
    for (const Extents& shape : shapes) problems.push_back({shape, operation.default_dtype(), 0});
    for (const auto& typed : operation.types)
        if (typed.dtype != operation.default_dtype()) problems.push_back({middle, typed.dtype, 0});
    for (std::size_t variant = 1; variant < operation.variants.size(); ++variant)
        problems.push_back({middle, operation.default_dtype(), static_cast<std::uint8_t>(variant)});
    return problems;
}

Problem problem_of(const Operation& operation, const RecordedRun& run) {
    Problem problem = parse_problem(operation, run.size, parse_dtype(operation, run.dtype));
    if (!run.variant.empty()) problem.variant = parse_variant(operation, run.variant);
    return problem;
}

bool CounterComparison::equal() const { return complete() && std::abs(*hardware - *predicted) <= kPrinted; }

std::vector<CounterComparison> compare(const Recording& recording, const RecordedRun& run,
                                       const Explanation& explanation, const Capability& capability) {
    std::vector<CounterComparison> comparisons;
    const std::size_t launches = std::max(run.launches.size(), explanation.kernels.size());
    // A slice would be stretched to another problem than the one whose counters these are.
    const Gpu& gpu = gpu_like(recording.capability, recording.multiprocessors);
    const std::vector<Demand> demands = explanation.timed ? std::vector<Demand>() : demands_of(explanation, gpu);
    for (std::size_t index = 0; index < launches; ++index) {
        const RecordedLaunch* launch = index < run.launches.size() ? &run.launches[index] : nullptr;
        const KernelTrace* trace = index < explanation.kernels.size() ? &explanation.kernels[index] : nullptr;
        MetricInputs inputs;
        if (trace) inputs = metric_inputs(explanation, *trace, capability);
        if (trace && index < demands.size()) inputs.warps = warp_states({&demands[index], 1}, gpu);
        for (const Metric& metric : metrics()) {
            CounterComparison comparison{.operation = recording.operation,
                                         .rung = run.rung,
                                         .problem = run.problem(),
                                         .launch = index,
                                         .kernel = launch ? launch->kernel : trace->shape.kernel,
                                         .metric = &metric,
                                         .hardware = launch ? recording.value(*launch, metric.name) : std::nullopt,
                                         .predicted = {}};
            if (trace) comparison.predicted = predicted(metric, inputs);
            comparison.trust = metric.trust_of(inputs);
            comparison.reason = metric.reason_of(inputs);
            // Its own registers are compared first; what follows from them is compared for the hardware's.
            if (launch && metric.name == kRegistersMetric) take_registers(inputs, recording, *launch);
            comparisons.push_back(std::move(comparison));
        }
    }
    return comparisons;
}

bool KnownDifference::covers(const CounterComparison& comparison) const {
    if (rung != comparison.operation + "/" + comparison.rung) return false;
    if (!problem.empty() && problem != comparison.problem) return false;
    if (metric.ends_with('*')) return comparison.metric->name.starts_with(metric.substr(0, metric.size() - 1));
    return comparison.metric->name == metric;
}

std::size_t Accuracy::unknown() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(different, [](const auto& difference) { return difference.second == nullptr; }));
}

Accuracy judge(std::span<const CounterComparison> comparisons, std::span<const KnownDifference> known) {
    Accuracy accuracy;
    std::vector<bool> used(known.size());
    for (const CounterComparison& comparison : comparisons) {
        // Registers are the compiler's: nothing of them was traced.
        if (comparison.trust > Trust::as_written || comparison.metric->name == kRegistersMetric) continue;
        // A figure that one side lacks says nothing, but a launch that it lacks does.
        if (!comparison.complete() && comparison.metric->name != kBlocksMetric) continue;
        if (comparison.equal()) {
            accuracy.equal.push_back(&comparison);
            continue;
        }
        const auto found = std::ranges::find_if(known, [&](const auto& each) { return each.covers(comparison); });
        if (found != known.end()) used[static_cast<std::size_t>(found - known.begin())] = true;
        accuracy.different.emplace_back(&comparison, found == known.end() ? nullptr : &*found);
    }
    for (std::size_t i = 0; i < known.size(); ++i)
        if (!used[i]) accuracy.stale.push_back(&known[i]);
    return accuracy;
}

}  // namespace lanework
