// Tracing the rung's twin on simt, on a problem that takes little time.
#include "src/cli/why.hpp"

#include <algorithm>

#include "src/cli/device_facts.hpp"
#include "src/report/explain/explanation.hpp"
#include "src/trace/analyse/estimate.hpp"
#include "src/trace/record/explain.hpp"

namespace lanework {
namespace {

/// Bytes and operations that are traced in well under a second.
constexpr std::uint64_t kQuickBytes = std::uint64_t{16} << 20, kQuickFlops = std::uint64_t{1} << 26;

const Rung* twin_on_simt(const Rung& rung) {
    if (rung.device == DeviceKind::simt) return &rung;  // one of a user's own is not among rungs()
    for (const Rung* other : rungs())
        if (other->device == DeviceKind::simt && other->operation == rung.operation && other->name == rung.name)
            return other;
    return nullptr;
}

bool quick(const Operation& operation, const Problem& problem) {
    const Work work = operation.work(problem);
    return work.bytes() <= kQuickBytes && work.flops <= kQuickFlops;
}

std::optional<double> per(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? std::nullopt : std::optional(static_cast<double>(part) / static_cast<double>(whole));
}

EstimatedTime estimated(const Explanation& explanation, const Gpu& gpu) {
    const Estimate found = estimate(explanation, gpu);
    GlobalCounters global;
    SharedCounters shared;
    for (const KernelTrace& kernel : explanation.kernels) {
        const KernelCounters counters = kernel.counters();
        for (const GlobalCounters& each :
             {counters.global_loads, counters.global_stores, counters.global_atomics, counters.global_reductions})
            global.add(each);
        for (const SharedCounters& each : {counters.shared_loads, counters.shared_stores, counters.shared_atomics})
            shared.add(each);
    }
    return {.gpu = std::string(gpu.title),
            .low_s = found.low_s,
            .high_s = found.high_s,
            .bound = std::string(name_of(found.bound)),
            .limit_s = roofline_limit(explanation.work, explanation.problem.dtype, gpu).seconds,
            .sectors_per_request = per(global.sectors, global.requests),
            .lanes_per_request = per(global.lanes, global.requests),
            .wavefronts_per_request = per(shared.wavefronts, shared.requests)};
}

bool is_about_size(const Finding& finding) { return finding.rule == Rule::few_blocks; }

}  // namespace

Trace trace(const Job& job, std::uint64_t seed) {
    if (!job.rung || job.rung->device == DeviceKind::cpu || job.rung->library) return {};
    const Rung* const rung = twin_on_simt(*job.rung);
    if (!rung) return {};
    Problem problem = job.problem;
    // What a GPU does in a millisecond can take simt minutes, and not every rung's work is the least.
    const bool replaced = job.rung->device != DeviceKind::simt || !quick(*job.operation, problem);
    const auto timed = job.operation->timed.simt;
    if (replaced && timed.empty()) return {};
    if (replaced) problem.extent = timed.front();
    if (!quick(*job.operation, problem) || !refusal(*rung, problem).empty()) return {};
    const Gpu& gpu = gpu_of(job.device->device->info());
    Explanation explanation =
        explain(*job.operation, *rung, problem, seed, {.schedule = 0, .hazards = false, .gpu = &gpu});
    if (replaced) std::erase_if(explanation.findings, is_about_size);
    if (replaced || explanation.kernels.empty()) return {why(explanation), {}};
    return {why(explanation), estimated(explanation, gpu)};
}

}  // namespace lanework
