// Writes one measurement as JSON. Names and their order are stable; members are only ever added.
#include "src/report/results/json_result.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace lanework {
namespace {

Json problem_of(const Measurement& m) {
    Json problem = Json::object();
    for (std::size_t axis = 0; axis < m.axes.size(); ++axis) problem[m.axes[axis]] = m.problem.extent[axis];
    if (!m.variant.empty()) problem["variant"] = m.variant;
    problem["seed"] = m.seed;
    if (!m.input.empty()) problem["input"] = m.input;
    return problem;
}

Json value_of(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json limit_of(const Measurement& m) {
    if (!m.limit) return nullptr;
    return {{"bound", name_of(m.limit->bound)},
            {"seconds", m.limit->seconds},
            {"fraction", value_of(fraction_of_limit(m))}};
}

Json estimate_of(const Measurement& m) {
    if (!m.estimate) return nullptr;
    const EstimatedTime& estimate = *m.estimate;
    return {{"gpu", estimate.gpu},
            {"time_s", estimate.time_s},
            {"low_s", estimate.low_s},
            {"high_s", estimate.high_s},
            {"bound", estimate.bound},
            {"limit_s", estimate.limit_s},
            {"sectors_per_request", value_of(estimate.sectors_per_request)},
            {"lanes_per_request", value_of(estimate.lanes_per_request)},
            {"wavefronts_per_request", value_of(estimate.wavefronts_per_request)}};
}

/// {"block": 64} of "naive block=64": the values of a rung that was made with others than its own. Null for any other.
Json tuning_of(const std::string& rung) {
    Json tuning;
    for (std::size_t at = rung.find(' '); at != rung.npos;) {
        const std::size_t equals = rung.find('=', at), end = rung.find(' ', at + 1);
        if (equals < std::min(end, rung.size()))
            tuning[rung.substr(at + 1, equals - at - 1)] = std::atoll(rung.c_str() + equals + 1);
        at = end;
    }
    return tuning;
}

}  // namespace

Json result_json(const Measurement& m) {
    Json result{{"operation", m.operation},
                {"rung", m.rung},
                {"device", m.device},
                {"dtype", name_of(m.problem.dtype)},
                {"problem", problem_of(m)},
                {"verdict", name_of(m.verdict)},
                {"reason", m.reason},
                {"samples_s", m.cold_s},
                {"work", {{"bytes", m.work.bytes()}, {"flops", m.work.flops}, {"operations", m.work.operations}}},
                {"limit", limit_of(m)},
                {"library", m.library},
                {"counters", Json::object()},
                {"findings", Json::array()},
                {"hot_samples_s", m.hot_s},
                {"bytes_written", m.work.bytes_written},
                {"climbs_from", m.climbs_from},
                {"lesson", m.lesson},
                {"why", m.why},
                {"error", value_of(m.error)},
                {"hard_inputs", m.hard_inputs},
                {"estimate", estimate_of(m)}};
    if (Json tuning = tuning_of(m.rung); !tuning.is_null()) result["tuning"] = std::move(tuning);
    return result;
}

// One result a line: short enough to read, and a difference of two files shows which results changed.
std::string results_document(std::span<const Fact> environment, std::span<const Json> results) {
    Json facts = Json::object();
    for (const Fact& fact : environment) facts[fact.name] = fact.value;
    std::string text = "{\"schema\": 1,\n \"environment\": " + json_line(facts) + ",\n \"results\": [";
    for (std::size_t i = 0; i < results.size(); ++i) text += (i ? ",\n  " : "\n  ") + json_line(results[i]);
    return text + "]}\n";
}

}  // namespace lanework
