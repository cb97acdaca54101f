// One traced run, and what follows from it.
#include "src/trace/record/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <lanework/error.hpp>
#include <lanework/execute.hpp>
#include <lanework/measurement.hpp>
#include <lanework/registry.hpp>

#include "src/simt/gpu.hpp"
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

/// Given what launches the rung and waits for its end.
using Watch = std::function<void(const std::function<void()>& launch)>;

/// Runs the rung once on a device of its own.
void run_once(const Operation& operation, const Rung& rung, const Problem& problem, std::uint64_t seed,
              const ExplainOptions& options, const std::string& device_id, const Watch& watch) {
    HostArrays host(operation, problem);
    operation.fill_with(options.input, problem, seed, host.buffers());
    const auto device = open_device(device_id);
    device->set_schedule(options.schedule);
    try {
        execute(*device, operation, rung, problem, host.buffers(), watch);
    } catch (const DeviceError&) {
        device->recover();
        device->set_schedule(0);
        throw;
    }
    device->set_schedule(0);
}

/// Runs what is traced; calls `watch` around what belongs to the rung alone, where it knows that.
using TracedRun = std::function<void(const Watch& watch)>;

void run_traced(Tracer& tracer, const Rung& rung, Explanation& explanation, const TracedRun& run) {
    std::string failure;
    try {
        run([&](const std::function<void()>& launch) {
            tracer.record_streams(true);
            launch();
            tracer.record_streams(false);
        });
    } catch (const DeviceError& error) {
        failure = error.what();
    }
    explanation.kernels = tracer.take_launches();
    explanation.streams = tracer.streams();
    const bool told =
        std::ranges::any_of(explanation.kernels, [](const KernelTrace& launch) { return !launch.error.empty(); });
    if (!failure.empty() && !told) explanation.findings.push_back(refused_launch(rung, failure));
}

/// The launches of a run, and what is wrong with them; nothing about time.
Explanation traced_run(const Operation& operation, const Rung& rung, const Problem& problem, std::uint64_t seed,
                       const ExplainOptions& options, const Gpu& gpu, const std::vector<Analyser*>& further,
                       const TracedRun& run) {
    Explanation explanation = described(operation, rung, problem, seed, gpu);
    Hazards hazards;
    std::vector<Analyser*> analysers = further;
    if (options.hazards) analysers.push_back(&hazards);
    Tracer tracer(analysers);
    if (!options.code.empty()) tracer.follow(options.code);
    run_traced(tracer, rung, explanation, run);
    append(explanation.findings, findings_of(hazards.list(), [&](std::uint64_t pc) { return tracer.place_of(pc); }));
    append(explanation.findings, launch_errors(explanation.kernels));
    if (options.timed) {
        explanation.timed = operation.work(*options.timed);
        explanation.timed_size = format_extents(operation, *options.timed);
    }
    return explanation;
}

void add_costs(Explanation& explanation, const Gpu& gpu) {
    append(explanation.findings, performance_findings(explanation, gpu));
    sort_findings(explanation.findings);
}

/// The launches once more, for their counts alone; none where that went wrong.
std::vector<KernelTrace> trace_again(const Operation& operation, const Rung& rung, const Problem& problem,
                                     std::uint64_t seed, ExplainOptions options, const Gpu& gpu) {
    options.hazards = false;
    options.timed.reset();
    Explanation explanation = traced_run(operation, rung, problem, seed, options, gpu, {}, [&](const Watch& watch) {
        run_once(operation, rung, problem, seed, options, simt_as(gpu), watch);
    });
    if (!explanation.findings.empty()) return {};
    return std::move(explanation.kernels);
}

/// Half of the problem along an axis that brings operations and no data, such as the turns of a chain, where the timed
/// problem has more of them; nothing where there is no such axis.
std::optional<Problem> with_fewer_turns(const Operation& operation, const Problem& problem, const Problem& timed) {
    constexpr double kNoData = 0.05;  // of the bytes
    const Work all = operation.work(problem);
    for (std::size_t axis = 0; axis < operation.axes.size(); ++axis) {
        if (problem.extent[axis] < 2 || timed.extent[axis] <= problem.extent[axis]) continue;
        Problem half = problem;
        half.extent[axis] /= 2;
        const Work fewer = operation.work(half);
        const auto bytes = static_cast<double>(all.bytes());
        if (fewer.flops < all.flops && static_cast<double>(fewer.bytes()) >= (1 - kNoData) * bytes) return half;
    }
    return std::nullopt;
}

}  // namespace

Explanation explain_run(const Operation& operation, const Rung& rung, const Problem& problem, std::uint64_t seed,
                        const ExplainOptions& options, const std::vector<Analyser*>& further,
                        const std::function<void()>& run) {
    const Gpu& gpu = options.gpu ? *options.gpu : gpus().front();
    Explanation explanation =
        traced_run(operation, rung, problem, seed, options, gpu, further, [&](const Watch&) { run(); });
    add_costs(explanation, gpu);
    return explanation;
}

Explanation explain(const Operation& operation, const Rung& rung, const Problem& problem, std::uint64_t seed,
                    const ExplainOptions& options) {
    const Gpu& gpu = options.gpu ? *options.gpu : gpus().front();
    Explanation explanation = traced_run(operation, rung, problem, seed, options, gpu, {}, [&](const Watch& watch) {
        run_once(operation, rung, problem, seed, options, simt_as(gpu), watch);
    });
    if (options.timed) {
        {
            const lanework_simt::FewerSms one(1);
            explanation.on_one_sm = trace_again(operation, rung, problem, seed, options, gpu);
        }
        if (const auto fewer = with_fewer_turns(operation, problem, *options.timed)) {
            explanation.fewer_turns = trace_again(operation, rung, *fewer, seed, options, gpu);
            explanation.work_of_fewer_turns = operation.work(*fewer);
        }
    }
    add_costs(explanation, gpu);
    return explanation;
}

}  // namespace lanework
