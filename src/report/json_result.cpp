// Writes one measurement as JSON. Names and their order are stable; members are only ever added.
#include "src/report/json_result.hpp"

namespace lanework {
namespace {

using Json = nlohmann::ordered_json;

Json problem_of(const Measurement& m) {
    Json problem = Json::object();
    for (std::size_t axis = 0; axis < m.axes.size(); ++axis) problem[m.axes[axis]] = m.problem.extent[axis];
    if (!m.variant.empty()) problem["variant"] = m.variant;
    problem["seed"] = m.seed;
    if (!m.input.empty()) problem["input"] = m.input;
    return problem;
}

Json limit_of(const Measurement& m) {
    if (!m.limit) return nullptr;
    const auto fraction = fraction_of_limit(m);
    return {{"bound", name_of(m.limit->bound)},
            {"seconds", m.limit->seconds},
            {"fraction", fraction ? Json(*fraction) : Json(nullptr)}};
}

// Names that come from outside need not be UTF-8; JSON must be.
std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

Json result_json(const Measurement& m) {
    return {{"operation", m.operation},
            {"rung", m.rung},
            {"device", m.device},
            {"dtype", name_of(m.problem.dtype)},
            {"problem", problem_of(m)},
            {"verdict", name_of(m.verdict)},
            {"reason", m.reason},
            {"samples_s", m.cold_s},
            {"work", {{"bytes", m.work.bytes()}, {"flops", m.work.flops}}},
            {"limit", limit_of(m)},
            {"library", m.library},
            {"counters", Json::object()},
            {"findings", Json::array()},
            {"hot_samples_s", m.hot_s},
            {"bytes_written", m.work.bytes_written},
            {"climbs_from", m.climbs_from},
            {"lesson", m.lesson},
            {"why", m.why},
            {"error", m.error ? Json(*m.error) : Json(nullptr)},
            {"hard_inputs", m.hard_inputs}};
}

// One result a line: short enough to read, and a difference of two files shows which results changed.
std::string results_document(std::span<const Fact> environment, std::span<const Json> results) {
    Json facts = Json::object();
    for (const Fact& fact : environment) facts[fact.name] = fact.value;
    std::string text = "{\"schema\": 1,\n \"environment\": " + dumped(facts) + ",\n \"results\": [";
    for (std::size_t i = 0; i < results.size(); ++i) text += (i ? ",\n  " : "\n  ") + dumped(results[i]);
    return text + "]}\n";
}

}  // namespace lanework
