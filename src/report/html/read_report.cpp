// Finds out what a JSON document holds, and puts it where it belongs in a report.
#include <filesystem>

#include "src/io/file.hpp"
#include "src/io/json.hpp"
#include "src/report/html/report.hpp"
#include "src/report/html/source_json.hpp"
#include "src/report/results/json.hpp"

namespace lanework {
namespace {

/// Results whose "kernels" say that they are explanations, with their sources.
std::vector<std::string> explanations_in(const Json& document, SourceText& sources) {
    std::vector<std::string> found;
    for (const Json& result : document["results"]) {
        if (!result.contains("kernels") || !result["kernels"].is_array()) continue;
        Json explained = result;
        if (!explained.contains("sources")) explained["sources"] = sources_json(result, sources, Reach::below);
        found.push_back(json_line(explained));
    }
    return found;
}

}  // namespace

std::vector<std::string> explanations_in(const std::string& json, SourceText& sources) {
    return explanations_in(Json::parse(json), sources);
}

void add_document(Report& report, const std::string& name, const std::string& json, SourceText& sources) {
    const Json document = Json::parse_or_null(json);
    const auto has = [&](const char* list) {
        return document.is_object() && document.contains(list) && document[list].is_array();
    };
    if (has("timelines")) return report.timelines.push_back(json_line(document));
    if (has("devices")) return report.surveys.push_back(json_line(document));
    if (has("times") && !has("results")) return report.times.push_back(json_line(document));
    // What is no such file either is told so where it is read.
    report.sources.push_back({std::filesystem::path(name).filename().string(), parse_results(json, name)});
    for (std::string& each : explanations_in(document, sources)) report.explanations.push_back(std::move(each));
}

void add_file(Report& report, const std::string& file, SourceText& sources) {
    add_document(report, file, file_text(file), sources);
}

}  // namespace lanework
