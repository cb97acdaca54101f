// Recordings and known differences as JSON.
#include <fmt/format.h>

#include <lanework/error.hpp>

#include "src/trace/analyse/golden.hpp"

#include "src/io/json.hpp"

namespace lanework {
namespace {

Json value_of(const std::optional<double>& value) {
    if (!value) return nullptr;
    const auto whole = static_cast<std::int64_t>(*value);
    return static_cast<double>(whole) == *value ? Json(whole) : Json(*value);
}

Json launch_of(const RecordedLaunch& launch) {
    Json counters = Json::array();
    for (const auto& value : launch.values) counters.push_back(value_of(value));
    return {{"kernel", launch.kernel}, {"grid", launch.grid}, {"block", launch.block}, {"counters", counters}};
}

Json run_of(const RecordedRun& run) {
    Json launches = Json::array();
    for (const RecordedLaunch& launch : run.launches) launches.push_back(launch_of(launch));
    return {{"rung", run.rung},       {"size", run.size}, {"dtype", run.dtype},
            {"variant", run.variant}, {"seed", run.seed}, {"launches", launches}};
}

RecordedLaunch read_launch(const Json& json, std::size_t metrics) {
    RecordedLaunch launch;
    launch.kernel = json.at("kernel").get<std::string>();
    launch.grid = json.at("grid").get<std::array<unsigned, 3>>();
    launch.block = json.at("block").get<std::array<unsigned, 3>>();
    for (const Json& value : json.at("counters"))
        launch.values.push_back(value.is_null() ? std::nullopt : std::optional(value.get<double>()));
    if (launch.values.size() != metrics)
        throw FileError(fmt::format("a launch of {} has {} counters where the file names {} metrics", launch.kernel,
                                    launch.values.size(), metrics));
    return launch;
}

RecordedRun read_run(const Json& json, std::size_t metrics) {
    RecordedRun run;
    run.rung = json.at("rung").get<std::string>();
    run.size = json.at("size").get<std::string>();
    run.dtype = json.at("dtype").get<std::string>();
    run.variant = json.at("variant").get<std::string>();
    run.seed = json.at("seed").get<std::uint64_t>();
    for (const Json& launch : json.at("launches")) run.launches.push_back(read_launch(launch, metrics));
    return run;
}

Recording read_recording(const Json& json) {
    if (json.at("schema") != 1) throw FileError("not a recording of schema 1");
    Recording recording;
    for (const auto& [name, value] : json.at("provenance").items())
        recording.provenance.push_back({name, value.get<std::string>()});
    recording.operation = json.at("operation").get<std::string>();
    recording.capability = json.at("compute_capability").get<int>();
    recording.multiprocessors = json.at("multiprocessors").get<int>();
    recording.metrics = json.at("metrics").get<std::vector<std::string>>();
    for (const Json& run : json.at("runs")) recording.runs.push_back(read_run(run, recording.metrics.size()));
    return recording;
}

// Reads with `read`; whatever is wrong with the text is the file's fault.
template <class Read>
auto parsed(std::string_view text, const std::string& file, Read read) {
    try {
        return read(Json::parse(text));
    } catch (const JsonError& error) {
        throw FileError(fmt::format("{}: {}", file, error.what()));
    } catch (const FileError& error) {
        throw FileError(fmt::format("{}: {}", file, error.what()));
    }
}

}  // namespace

std::string to_json(const Recording& recording) {
    Json provenance = Json::object();
    for (const Fact& fact : recording.provenance) provenance[fact.name] = fact.value;
    std::string text = fmt::format(
        "{{\"schema\": 1,\n \"provenance\": {},\n \"operation\": {},\n \"compute_capability\": {},\n"
        " \"multiprocessors\": {},\n \"metrics\": {},\n"
        " \"runs\": [",
        json_line(provenance), json_line(recording.operation), recording.capability, recording.multiprocessors,
        json_line(recording.metrics));
    for (std::size_t i = 0; i < recording.runs.size(); ++i)
        text += (i ? ",\n  " : "\n  ") + json_line(run_of(recording.runs[i]));
    return text + "]}\n";
}

Recording parse_recording(std::string_view json, const std::string& file) { return parsed(json, file, read_recording); }

std::vector<KnownDifference> parse_known_differences(std::string_view json, const std::string& file) {
    return parsed(json, file, [](const Json& document) {
        std::vector<KnownDifference> known;
        for (const Json& entry : document.at("differences")) {
            known.push_back({entry.at("rung").get<std::string>(), entry.at("metric").get<std::string>(),
                             entry.value("problem", ""), entry.at("reason").get<std::string>()});
            if (known.back().reason.empty())
                throw FileError(
                    fmt::format("the difference of {} in {} has no reason", known.back().metric, known.back().rung));
        }
        return known;
    });
}

}  // namespace lanework
