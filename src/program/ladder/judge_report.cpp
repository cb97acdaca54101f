// The words and the members of a judgement.
#include "src/program/ladder/judge_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/text.hpp"
#include "src/gpu/gpus.hpp"
#include "src/io/json.hpp"
#include "src/report/results/results.hpp"

namespace lanework {
namespace {

constexpr std::string_view kFaults[] = {
    "none",           "does_not_compile", "wrong_result", "left_unwritten", "low_precision",
    "kept_result",    "kept_memory",      "skipped_work", "changed_input",  "out_of_bounds",
    "foreign_memory", "uninitialised",    "race",         "other_stream",   "computed_by_host",
    "evades_watch",   "forbidden_call",   "crash",        "hang",           "exit",
    "failed_launch",  "other_finding"};

std::string plural(std::size_t number, std::string_view word) {
    return fmt::format("{} {}{}", number, word, number == 1 ? "" : "s");
}

bool failed(Fault fault) {
    return fault == Fault::crash || fault == Fault::hang || fault == Fault::exit || fault == Fault::failed_launch ||
           fault == Fault::does_not_compile;
}

std::string certainty(const Judgement& j) {
    return fmt::format("{} in {}, {}, {}, seed {}", plural(j.runs, "run"), plural(j.problems, "size"),
                       plural(j.inputs, "hard input"), plural(j.schedules, "further schedule"), j.seed);
}

/// The traced result: counters and findings.
Json traced_result(const Judgement& j) {
    const Json document = Json::parse_or_null(j.explanation);
    return document.is_object() && document.contains("results") && !document["results"].empty() ? document["results"][0]
                                                                                                : Json::object();
}

}  // namespace

std::string_view name_of(Fault fault) { return kFaults[static_cast<std::size_t>(fault)]; }

std::string draw_judgement(const Judgement& j, const std::string& title) {
    if (j.fault != Fault::none) {
        std::string text =
            fmt::format("{}: {}, {}\n  {}\n", title, failed(j.fault) ? "failed" : "wrong", name_of(j.fault), j.reason);
        if (!j.where.empty()) text += fmt::format("  {}, seed {}\n", j.where, j.seed);
        return text;
    }
    std::string text = fmt::format("{}: right\n  {}", title, certainty(j));
    if (j.error) text += fmt::format("; the largest error is {:.2g} of the largest right element", *j.error);
    if (j.one_block)
        text +=
            "\n  one block in every size: a larger one in `verify` of operation.json shows whether blocks are told "
            "apart";
    for (const std::string& remark : j.remarks) text += "\n  " + remark;
    if (j.high_seconds > 0)
        text += fmt::format("\n  {} on {}: {} estimated, bound by {}", j.timed_size, gpus().front().title,
                            format_estimate(j.seconds, j.low_seconds, j.high_seconds), j.bound);
    text +=
        fmt::format("\n  compiled in {:.1f} s, judged in {:.1f} s, on simt alone", j.compile_seconds, j.judge_seconds);
    if (!j.confinement.missing.empty())
        text += fmt::format("; the cell had no {}", fmt::join(j.confinement.missing, ", no "));
    return text + "\n";
}

std::string judgement_to_json(const Judgement& j, const std::string& operation, const std::string& file,
                              std::span<const Fact> environment) {
    Json facts = Json::object();
    for (const Fact& fact : environment) facts[fact.name] = fact.value;
    const Json traced = traced_result(j);
    Json difference = nullptr, estimate = nullptr, error = nullptr;
    if (j.difference)
        difference = {{"array", j.difference->array},         {"index", j.difference->index},
                      {"found", j.difference->found},         {"right", j.difference->right},
                      {"differing", j.difference->differing}, {"elements", j.difference->count}};
    if (j.high_seconds > 0)
        estimate = {{"gpu", gpus().front().name}, {"size", j.timed_size},     {"time_s", j.seconds},
                    {"low_s", j.low_seconds},     {"high_s", j.high_seconds}, {"bound", j.bound}};
    if (j.error) error = *j.error;
    const Json document{{"schema", 1},
                        {"environment", facts},
                        {"operation", operation},
                        {"rung", file},
                        {"verdict", j.fault == Fault::none ? "ok"
                                    : failed(j.fault)      ? "failed"
                                                           : "wrong"},
                        {"fault", name_of(j.fault)},
                        {"reason", j.reason},
                        {"where", j.where},
                        {"first_difference", difference},
                        {"error", error},
                        {"remarks", j.remarks},
                        {"estimate", estimate},
                        {"certainty",
                         {{"devices", {"simt"}},
                          {"seed", j.seed},
                          {"runs", j.runs},
                          {"sizes", j.problems},
                          {"hard_inputs", j.inputs},
                          {"schedules", j.schedules},
                          {"most_blocks", j.most_blocks}}},
                        {"cell", {{"holds", j.confinement.holds}, {"missing", j.confinement.missing}}},
                        {"seconds", {{"compile", j.compile_seconds}, {"judge", j.judge_seconds}}},
                        {"findings", traced.contains("findings") ? traced["findings"] : Json::array()},
                        {"counters", traced.contains("counters") ? traced["counters"] : Json::object()}};
    return document.dump(1) + "\n";
}

}  // namespace lanework
