// Tracing the rung's twin on simt, on a problem that takes little time.
#include "src/cli/why.hpp"

#include <algorithm>

#include "src/cli/device_facts.hpp"
#include "src/report/explain/estimate.hpp"
#include "src/report/explain/explanation.hpp"
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

bool is_about_size(const Finding& finding) { return finding.rule == Rule::few_blocks; }

}  // namespace

std::optional<Explanation> explain_twin(const Job& job, std::uint64_t seed, const TwinOptions& options) {
    if (!job.rung || !job.device->device || job.rung->device == DeviceKind::cpu || job.rung->library) return {};
    const Rung* const rung = twin_on_simt(*job.rung);
    if (!rung) return {};
    Problem problem = job.problem;
    // What a GPU does in a millisecond can take simt minutes, and not every rung's work is the least.
    const bool replaced = job.rung->device != DeviceKind::simt || (options.quickly && !quick(*job.operation, problem));
    const auto timed = job.operation->timed.simt;
    if (replaced && timed.empty()) return {};
    if (replaced) problem.extent = timed.front();
    if (options.quickly && !quick(*job.operation, problem)) return {};
    if (!refusal(*rung, problem).empty()) return {};
    const Gpu& gpu = gpu_of(job.device->device->info());
    Explanation explanation = explain(*job.operation, *rung, problem, seed,
                                      {.schedule = 0,
                                       .hazards = options.hazards,
                                       .gpu = &gpu,
                                       .code = options.code,
                                       .input = job.input.value_or(kRandomInput),
                                       .timed = replaced ? std::optional(job.problem) : std::nullopt});
    if (replaced) std::erase_if(explanation.findings, is_about_size);
    return explanation;
}

Trace trace(const Job& job, std::uint64_t seed, std::span<const MachineCode> code) {
    const auto explanation = explain_twin(job, seed, {.code = code});
    if (!explanation) return {};
    if (explanation->kernels.empty()) return {why(*explanation), {}};
    return {why(*explanation), estimated_time(*explanation, gpu_of(job.device->device->info()))};
}

}  // namespace lanework
