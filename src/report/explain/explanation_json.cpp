// An explanation as a result of schema 1: counters and findings are filled in, and "kernels" is added.
#include <array>
#include <cmath>
#include <string>

#include "src/gpu/page_faults.hpp"
#include "src/gpu/sass/instructions.hpp"
#include "src/report/explain/estimate.hpp"
#include "src/report/explain/explanation.hpp"
#include "src/report/explain/explanation_metrics.hpp"
#include "src/report/explain/finding_json.hpp"
#include "src/report/explain/line_counters.hpp"
#include "src/report/results/json_result.hpp"
#include "src/trace/analyse/estimate.hpp"
#include "src/trace/analyse/warp_states.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

// Counts without a decimal point.
Json value_json(std::optional<double> value) {
    if (!value) return nullptr;
    return *value == std::floor(*value) ? Json(static_cast<std::int64_t>(*value)) : Json(*value);
}

// Every metric, also those without a value: {"name": {"value": 224, "unit": "", "trust": "exact"}}, with a sentence
// "why" where it is not exact.
Json counters_json(const MetricInputs& inputs) {
    Json counters = Json::object();
    for (const Metric& metric : metrics()) {
        Json& counter = counters[std::string(metric.name)];
        const Trust trust = metric.trust_of(inputs);
        counter = {{"value", value_json(predicted(metric, inputs))}, {"unit", metric.unit}, {"trust", name_of(trust)}};
        if (trust != Trust::exact) counter["why"] = metric.reason_of(inputs);
    }
    return counters;
}

Json accesses_json(const LineCounters& line) {
    Json accesses = Json::array();
    for (const LineAccess& access : line.accesses)
        accesses.push_back({{"access", access.name()},
                            {"requests", access.requests()},
                            {"unit", access.unit()},
                            {"cost", access.cost()},
                            {"ideal", access.ideal()},
                            {"lanes", access.lanes()}});
    return accesses;
}

Json lines_json(const KernelTrace& kernel, const std::string& first_file) {
    Json lines = Json::array();
    for (const LineCounters& line : lines_of({&kernel, 1}, first_file))
        lines.push_back({{"file", line.file},
                         {"line", line.line},
                         {"function", line.function},
                         {"accesses", accesses_json(line)},
                         {"branches", line.branch.branches},
                         {"divergent", line.branch.divergent}});
    return lines;
}

// What was followed, and what its instructions did by the pipe that executes them; null where none was at hand.
Json machine_code_json(const MachineTrace* machine) {
    if (!machine) return nullptr;
    if (!machine->known()) return {{"followed", false}, {"reason", machine->reason}};
    std::array<std::uint64_t, kPipes> executed{};
    for (std::size_t i = 0; i < machine->counts.size(); ++i)
        executed[static_cast<std::size_t>(pipe_of(machine->kernel->instructions[i]))] += machine->counts[i].executed;
    Json pipes = Json::object();
    for (std::size_t pipe = 0; pipe < kPipes; ++pipe)
        pipes[std::string(name_of(static_cast<Pipe>(pipe)))] = executed[pipe];
    return {{"followed", true},
            {"reason", ""},
            {"symbol", machine->kernel->symbol},
            {"target", machine->kernel->target},
            {"instructions", machine->kernel->instructions.size()},
            {"registers", machine->kernel->registers},
            {"stack_bytes", machine->kernel->stack_bytes},
            {"executed", pipes}};
}

Json kernel_json(const Explanation& explanation, const KernelTrace& kernel, const Capability& sm) {
    return {{"kernel", kernel.shape.kernel},
            {"grid", kernel.shape.grid},
            {"block", kernel.shape.block},
            {"dynamic_shared", kernel.shape.dynamic_shared},
            {"error", kernel.error},
            {"counters", counters_json(metric_inputs(explanation, kernel, sm))},
            {"lines", lines_json(kernel, explanation.file)},
            {"machine_code", machine_code_json(kernel.machine.get())}};
}

// Shares of a warp's clocks, and the figures of Nsight Compute's metrics.
Json warp_states_json(const WarpStates& states) {
    Json stalled = Json::object(), per_issue = Json::object();
    for (std::size_t i = 0; i < kWarpStates; ++i) {
        const auto state = static_cast<WarpState>(i);
        if (state >= WarpState::wait) stalled[std::string(name_of(state))] = states.share(state);
        per_issue[metric_of(state)] = states.per_issue(state);
    }
    return {{"selected", states.share(WarpState::selected)},
            {"not_selected", states.share(WarpState::not_selected)},
            {"stalled", std::move(stalled)},
            {"eligible_warps", states.eligible_warps()},
            {"resident_warps", states.resident},
            {"per_issue", std::move(per_issue)},
            {"trust", name_of(Trust::modelled)}};
}

// What a results file says of every rung; a launch that failed is a failed result.
Measurement measurement_of(const Explanation& explanation) {
    Measurement m;
    m.operation = explanation.operation;
    m.rung = explanation.rung;
    m.device = explanation.device;
    m.axes = explanation.axes;
    m.problem = explanation.problem;
    m.variant = explanation.variant;
    m.seed = explanation.seed;
    m.work = explanation.work;
    m.lesson = explanation.lesson;
    for (const KernelTrace& kernel : explanation.kernels) {
        if (kernel.error.empty() || !m.ok()) continue;
        m.verdict = Verdict::failed;
        m.reason = kernel.error;
    }
    return m;
}

// What the estimate follows from, and what each part would take by itself, added to the time.
void tell_model(const Explanation& explanation, const Gpu& gpu, Json& estimated) {
    if (estimated.is_null()) return;
    const Estimate found = estimate(explanation, gpu);
    Json parts = Json::object(), demands = Json::array();
    parts[std::string(kPageFaults)] = found.page_faults_s;
    for (std::size_t i = 0; i < kBottlenecks; ++i)
        parts[std::string(name_of(static_cast<Bottleneck>(i)))] = found.parts_s[i];
    for (const Demand& demand : found.demands) {
        Json figures = Json::object();
        for (const DemandFigure& figure : demand_figures())
            figures[std::string(figure.name)] = value_json(demand.*figure.value);
        demands.push_back(std::move(figures));
    }
    estimated["least_s"] = found.least_s;
    estimated["size"] = found.stretched ? Json(found.size) : Json(nullptr);
    estimated["trust"] = name_of(Trust::modelled);
    estimated["of_machine_code"] = found.of_machine_code;
    estimated["parts_s"] = std::move(parts);
    estimated["warp_states"] = warp_states_json(warp_states(found.demands, gpu));
    estimated["demands"] = std::move(demands);
}

Json explanation_json(const Explanation& explanation, const Gpu& gpu) {
    const Capability& sm = gpu.limits();
    Measurement about = measurement_of(explanation);
    if (about.ok() && !explanation.kernels.empty()) about.estimate = estimated_time(explanation, gpu);
    Json result = result_json(about);
    result["counters"] = counters_json(total_inputs(explanation, sm));
    for (const Finding& finding : explanation.findings) result["findings"].push_back(finding_json(finding));
    tell_model(explanation, gpu, result["estimate"]);
    result["kernels"] = Json::array();
    const std::vector<Demand> demands = demands_of(explanation, gpu);
    for (std::size_t i = 0; i < explanation.kernels.size(); ++i) {
        Json kernel = kernel_json(explanation, explanation.kernels[i], sm);
        kernel["estimate"] = about.estimate ? launch_time_json(demands[i], gpu) : Json(nullptr);
        result["kernels"].push_back(std::move(kernel));
    }
    return result;
}

}  // namespace

Json launch_time_json(const Demand& demand, const Gpu& gpu) {
    const ModelledTime time = duration_of(demand, gpu);
    const double faults = page_fault_seconds(demand.faulted);
    return {{"time_s", time.seconds + faults},
            {"page_faults_s", faults},
            {"bound", faults > time.seconds ? kPageFaults : name_of(time.bound())},
            {"trust", name_of(Trust::modelled)},
            {"warp_states", warp_states_json(warp_states({&demand, 1}, gpu))}};
}

std::string explanations_to_json(std::span<const Explanation> explanations, const Gpu& gpu,
                                 std::span<const Fact> environment) {
    std::vector<Json> results;
    for (const Explanation& explanation : explanations) results.push_back(explanation_json(explanation, gpu));
    return results_document(environment, results);
}

}  // namespace lanework
