// One traced run, and what follows from it.
#include "src/trace/record/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <lanework/error.hpp>
#include <lanework/execute.hpp>
#include <lanework/measurement.hpp>

#include "src/trace/record/hazards.hpp"
#include "src/trace/record/tracer.hpp"
#include "src/trace/rules/launch_findings.hpp"
#include "src/trace/rules/rules.hpp"

namespace lanework {
namespace {

std::string simt_as(const Gpu& gpu) {
    std::string id(name_of(DeviceKind::simt));
    return &gpu == &gpus().front() ? id : fmt::format("{}:{}", id, gpu.name);
}

Explanation described(const Operation& operation, const Rung& rung, const Problem& problem, std::uint64_t seed,
                      const Gpu& gpu) {
    const Measurement about = describe(operation, rung, simt_as(gpu), problem, seed);
    return {.operation = about.operation,
            .rung = about.rung,
            .device = about.device,
            .axes = about.axes,
            .problem = problem,
            .variant = about.variant,
            .seed = seed,
            .work = about.work,
            .file = std::string(rung.file),
            .lesson = about.lesson,
            .kernels = {},
            .findings = {}};
}

/// A launch that did not begin, or a call that failed: the error is all that is known.
Finding refused_launch(const Rung& rung, const std::string& error) {
    return {.rule = Rule::launch_failure,
            .severity = Severity::error,
            .place = {.file = std::string(rung.file), .line = 0, .column = 0, .function = {}},
            .evidence = error,
            .remedy = "Mend what the message names; on a GPU the call fails too.",
            .weight = 1,
            .other = {}};
}

void append(std::vector<Finding>& findings, std::vector<Finding> more) {
    findings.insert(findings.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void run_traced(Tracer& tracer, const Operation& operation, const Rung& rung, Explanation& explanation,
                const ExplainOptions& options) {
    HostArrays host(operation, explanation.problem);
    operation.fill_with(options.input, explanation.problem, explanation.seed, host.buffers());
    const auto device = open_device(explanation.device);
    std::string failure;
    device->set_schedule(options.schedule);
    try {
        execute(*device, operation, rung, explanation.problem, host.buffers());
    } catch (const DeviceError& error) {
        failure = error.what();
        device->recover();
    }
    device->set_schedule(0);
    explanation.kernels = tracer.take_launches();
    const bool told =
        std::ranges::any_of(explanation.kernels, [](const KernelTrace& launch) { return !launch.error.empty(); });
    if (!failure.empty() && !told) explanation.findings.push_back(refused_launch(rung, failure));
}

}  // namespace

Explanation explain(const Operation& operation, const Rung& rung, const Problem& problem, std::uint64_t seed,
                    const ExplainOptions& options) {
    const Gpu& gpu = options.gpu ? *options.gpu : gpus().front();
    Explanation explanation = described(operation, rung, problem, seed, gpu);
    Hazards hazards;
    Tracer tracer(options.hazards ? std::vector<Analyser*>{&hazards} : std::vector<Analyser*>{});
    if (options.code) tracer.follow(*options.code);
    run_traced(tracer, operation, rung, explanation, options);
    append(explanation.findings, findings_of(hazards.list(), [&](std::uint64_t pc) { return tracer.place_of(pc); }));
    append(explanation.findings, launch_errors(explanation.kernels));
    append(explanation.findings, performance_findings(explanation, gpu));
    sort_findings(explanation.findings);
    return explanation;
}

}  // namespace lanework
